// SPDX-License-Identifier: Apache-2.0
#include "engine/search/sampler.hpp"
#include "tests/engine/search/space_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace nw::search {
namespace {

const Space& plane() {
  static const Space space = space_of(R"({"name":"x","type":"real","low":0,"high":1},
                                         {"name":"y","type":"real","low":1e-4,"high":1,"log":true})");
  return space;
}
const Space& conditional() {
  static const Space space = space_of(R"({"name":"kind","type":"choice","values":["a","b","c"]},
      {"name":"a.x","type":"real","low":0,"high":1,"when":{"kind":["a"]}},
      {"name":"a.more","type":"choice","values":[true,false],"when":{"kind":["a"]}},
      {"name":"a.depth","type":"int","low":1,"high":4,"when":{"a.more":[true]}},
      {"name":"b.n","type":"int","low":2,"high":64,"log":true,"when":{"kind":["b","c"]}})");
  return space;
}
/// Parameters that cannot vary, one of them alone in its group.
const Space& fixed() {
  static const Space space = space_of(R"({"name":"x","type":"real","low":0.5,"high":0.5},
      {"name":"c","type":"choice","values":["only"]},{"name":"y","type":"real","low":0,"high":1},
      {"name":"z","type":"real","low":2,"high":2,"log":true,"when":{"c":["only"]}})");
  return space;
}
const Space& digits() {
  static const Space space = space_of(R"({"name":"a","type":"choice","values":[0,1,2]},
                                         {"name":"b","type":"int","low":0,"high":2},
                                         {"name":"c","type":"choice","values":[0,1]})");
  return space;
}

const std::vector<Objective> one = {{"loss", false}}, two = {{"loss", false}, {"parameters", false}};

/// Plays a sampler; `values` gives the objectives of a point.
template <class F>
std::vector<Trial> play(const char* sampler, const Space& space, const std::vector<Objective>& objectives, int count,
                        std::uint64_t seed, F values) {
  std::vector<Trial> trials;
  for (int i = 0; i < count; ++i) {
    const auto point = find_sampler(sampler)->propose({space, objectives, trials, seed, i});
    if (!point) break;
    EXPECT_TRUE(is_point(space, *point)) << sampler << ": " << point_to_json(space, *point).dump();
    trials.push_back({.number = i, .point = *point, .state = TrialState::complete, .values = values(*point)});
  }
  return trials;
}
double first_or(const Point& p, std::size_t i, double otherwise) { return std::isnan(p[i]) ? otherwise : p[i]; }
std::vector<double> bowl(const Point& p) {
  return {std::pow(p[0] - 0.3, 2) + std::pow(std::log10(first_or(p, 1, 1)) + 2, 2)};
}
double best_of(const std::vector<Trial>& trials) {
  double best = std::numeric_limits<double>::infinity();
  for (const Trial& t : trials) best = std::min(best, t.values.front());
  return best;
}

TEST(Samplers, ProposePointsOfTheSpaceAndTheSameOnesAgain) {
  for (const Sampler* s : all_samplers())
    for (const auto& objectives : {one, two})
      for (const Space* space : {&conditional(), &digits(), &plane(), &fixed()}) {
        if (s->check && !s->check(*space, objectives)) continue;
        const auto values = [&](const Point& p) {
          std::vector<double> v(objectives.size(), first_or(p, 1, 0.5));
          v.front() += p[0];
          return v;
        };
        const auto first = play(s->name.data(), *space, objectives, 40, 9, values);
        const auto again = play(s->name.data(), *space, objectives, 40, 9, values);
        ASSERT_EQ(first.size(), again.size()) << s->name;
        for (std::size_t i = 0; i < first.size(); ++i)
          EXPECT_EQ(point_to_json(*space, first[i].point), point_to_json(*space, again[i].point))
              << s->name << " " << i;
      }
}

TEST(Samplers, TpeFindsABetterPointThanRandomOnes) {
  int better = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    better +=
        best_of(play("tpe", plane(), one, 60, seed, bowl)) < best_of(play("random", plane(), one, 60, seed, bowl));
  EXPECT_GE(better, 17) << "of 20 seeds";
}

TEST(Samplers, MaximizingIsMinimizingTheNegative) {
  const std::vector<Objective> most = {{"accuracy", true}};
  const auto negative = [](const Point& p) { return std::vector<double>{-bowl(p).front()}; };
  const auto up = play("tpe", plane(), most, 30, 4, negative), down = play("tpe", plane(), one, 30, 4, bowl);
  for (std::size_t i = 0; i < up.size(); ++i) EXPECT_EQ(up[i].point, down[i].point) << i;
}

TEST(Samplers, ADiscretePointIsNotTriedTwice) {
  for (const char* name : {"random", "tpe", "nsga2", "grid"}) {
    std::set<Point> points;
    const auto value = [](const Point& p) { return std::vector<double>{p[0] + p[1] + p[2]}; };
    const auto trials = play(name, digits(), one, 15, 1, value);
    for (const Trial& t : trials) points.insert(t.point);
    EXPECT_EQ(points.size(), 15U) << name << ": of 18 points";
  }
}

TEST(Samplers, AGridHasEveryPointOnceAndThenEnds) {
  const auto trials = play("grid", digits(), one, 100, 0, [](const Point&) { return std::vector<double>{0}; });
  std::set<Point> points;
  for (const Trial& t : trials) points.insert(t.point);
  EXPECT_EQ(trials.size(), 18U);
  EXPECT_EQ(points.size(), 18U);
  const Status refused = find_sampler("grid")->check(plane(), one);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().str().find("x has none"), std::string::npos);
}

// Trials that run count as bad ones: concurrent proposals are not all the same.
TEST(Samplers, TpeKeepsAwayFromTrialsThatRun) {
  const auto alone = play("tpe", plane(), one, 40, 2, bowl);
  auto beside = alone;
  const auto propose = [&](const std::vector<Trial>& trials, std::uint64_t seed) {
    return *find_sampler("tpe")->propose({plane(), one, trials, seed, 100});
  };
  const auto distance = [](const Point& a, const Point& b) {
    return std::abs(a[0] - b[0]) + std::abs(std::log10(a[1] / b[1]));
  };
  const Point taken = propose(alone, 0);
  for (std::int64_t n = 40; n < 100; ++n) beside.push_back({.number = n, .point = taken, .state = TrialState::running});
  double far = 0, near = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    near += distance(propose(alone, seed), taken);
    far += distance(propose(beside, seed), taken);
  }
  EXPECT_GT(far, 1.2 * near) << "sums over 30 seeds; the candidates are the same";
}

// A trial that was cut short is worth something: later epochs before earlier ones, then the value.
TEST(Samplers, TpeLearnsFromTrialsThatWereCutShort) {
  std::vector<Trial> trials = play("random", plane(), one, 60, 7, bowl);
  for (Trial& t : trials) {
    t.reports = {{t.point[0] < 0.4 ? 9 : 1, t.values.front()}};
    t.values.clear();
    t.state = t.number % 2 == 0 ? TrialState::paused : TrialState::pruned;
  }
  int low = 0;
  for (std::int64_t i = 0; i < 20; ++i) {
    const auto point = find_sampler("tpe")->propose({plane(), one, trials, static_cast<std::uint64_t>(i), 60});
    low += (*point)[0] < 0.45 ? 1 : 0;
  }
  EXPECT_GE(low, 15);
}

TEST(Samplers, TpeSpreadsItsFirstTrials) {
  const auto trials = play("tpe", plane(), one, 10, 3, bowl);
  std::set<int> tenths;
  for (const Trial& t : trials) tenths.insert(static_cast<int>(t.point[0] * 10));
  EXPECT_EQ(tenths.size(), 10U) << "one in each tenth of the range";
}

TEST(Samplers, BothFindTheFrontOfTwoObjectives) {
  const auto both = [](const Point& p) {
    return std::vector<double>{p[0] * p[0] + std::abs(p[1] - 0.5), std::pow(p[0] - 1, 2) + std::abs(p[1] - 0.5)};
  };
  const auto close = [](const std::vector<Trial>& trials) {
    return std::count_if(trials.begin(), trials.end(), [](const Trial& t) { return std::abs(t.point[1] - 0.5) < 0.1; });
  };
  const Space square =
      space_of(R"({"name":"x","type":"real","low":0,"high":1},{"name":"y","type":"real","low":0,"high":1})");
  const auto random = close(play("random", square, two, 120, 5, both));
  EXPECT_GT(close(play("tpe", square, two, 120, 5, both)), 2 * random);
  EXPECT_GT(close(play("nsga2", square, two, 120, 5, both)), random);
}

}  // namespace
}  // namespace nw::search
