// SPDX-License-Identifier: Apache-2.0
// The importance of parameters beside the numbers of Optuna 5.0 (tests/reference/importance.json), and where there is
// nothing to compare.
#include "engine/search/importance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/core/files.hpp"
#include "engine/search/journal.hpp"
#include "engine/search/random.hpp"
#include "tests/support/paths.hpp"

namespace nw::search {
namespace {

struct Reference {
  Space space;
  std::vector<Objective> objectives;
  std::vector<Trial> trials;
  Json importance;
};

Reference reference_of(const Json& j) {
  Reference r{
      .space = *space_from_json(j["space"], "space"), .objectives = {}, .trials = {}, .importance = j["importance"]};
  for (const Json& o : j["objectives"]) r.objectives.push_back(*objective_from_text(o.get<std::string>()));
  for (const Json& t : j["trials"]) {
    Trial trial{.number = static_cast<std::int64_t>(r.trials.size()), .state = TrialState::complete};
    trial.point.assign(r.space.parameters.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < trial.point.size(); ++i) {  // rounded values that are no step of ours count as they are
      const Parameter& p = r.space.parameters[i];
      if (!t["parameters"].contains(p.name)) continue;
      const Json& v = t["parameters"][p.name];
      const bool choice = p.kind == Parameter::Kind::choice;
      trial.point[i] = choice ? static_cast<double>(std::find(p.values.begin(), p.values.end(), v) - p.values.begin())
                              : v.get<double>();
    }
    trial.values = t["values"].get<std::vector<double>>();
    r.trials.push_back(std::move(trial));
  }
  return r;
}

TEST(Importance, IsThatOfOptuna) {
  const auto text = read_file(test::tests_folder() + "/reference/importance.json", 1 << 20);
  ASSERT_TRUE(text);
  const Json all = Json::parse(*text);
  ASSERT_EQ(all["studies"].size(), 4U);
  for (const Json& study : all["studies"]) {
    const Reference r = reference_of(study);
    const auto ours = importances(r.space, r.objectives, r.trials);
    ASSERT_EQ(ours.size(), r.space.parameters.size());
    for (const Importance& i : ours) {
      const std::string& name = r.space.parameters[i.parameter].name;
      const double theirs = r.importance[name].get<double>();
      EXPECT_NEAR(i.divergence, theirs, 1e-9 + 1e-7 * theirs) << name << " of " << r.trials.size() << " trials";
    }
    for (std::size_t i = 1; i < ours.size(); ++i) EXPECT_GE(ours[i - 1].share, ours[i].share);
    double sum = 0;
    for (const Importance& i : ours) sum += i.share;
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

Space two_numbers() {
  return *parse_space(R"({"parameters":[{"name":"x","type":"real","low":0,"high":1},
                                        {"name":"y","type":"real","low":0,"high":1}]})",
                      "s");
}

/// The loss is that of x alone.
std::vector<Trial> random_trials(const Space& space, std::int64_t n) {
  std::vector<Trial> trials;
  for (std::int64_t i = 0; i < n; ++i) {
    Draw draw(3, i);
    Point point = random_point(space, draw);
    const double loss = std::abs(point[0] - 0.3);
    trials.push_back({.number = i, .point = std::move(point), .state = TrialState::complete, .values = {loss}});
  }
  return trials;
}

const std::vector<Objective> least = {{"loss", false}};

TEST(Importance, CountsCompleteTrialsOnlyAndSharesEquallyWithoutThem) {
  const Space space = two_numbers();
  std::vector<Trial> trials = random_trials(space, 40);
  for (Trial& t : trials) t.state = TrialState::pruned, t.values.clear();
  for (const auto& i : importances(space, least, trials, 20)) EXPECT_EQ(i.share, 0.5);
  EXPECT_TRUE(importances({}, least, {}).empty());
  trials = random_trials(space, 300);
  const auto known = importances(space, least, trials);
  EXPECT_EQ(known.front().parameter, 0U);
  EXPECT_GT(known.front().share, 0.95);
  trials.push_back({.number = 300, .point = {0.9, 0.5}, .state = TrialState::running});
  EXPECT_EQ(importances(space, least, trials).front().divergence, known.front().divergence);
}

TEST(Importance, ItsIntervalHoldsTheShareAndNarrowsWithTheTrials) {
  const Space space = two_numbers();
  double before = 1;
  for (const std::int64_t n : {30, 2000}) {
    const auto result = importances(space, least, random_trials(space, n), 50);
    for (const Importance& i : result) {
      EXPECT_LE(i.low, i.share);
      EXPECT_GE(i.high, i.share);
    }
    const double width = result.front().high - result.front().low;
    EXPECT_GT(width, 0);
    EXPECT_LT(width, before);
    before = width;
  }
}

/// Printed; by hand: search_test --gtest_filter=Importance.TakesMilliseconds*
TEST(Importance, TakesMillisecondsForTenThousandTrials) {
  const auto space = parse_space(R"({"parameters":[
    {"name":"a","type":"real","low":0.0001,"high":1,"log":true},{"name":"b","type":"real","low":0,"high":1},
    {"name":"c","type":"int","low":1,"high":64},{"name":"d","type":"int","low":8,"high":256,"step":8},
    {"name":"e","type":"choice","values":["x","y","z"]},{"name":"f","type":"real","low":0,"high":2}]})",
                                 "s");
  const auto trials = random_trials(*space, 10'000);
  for (const int resamples : {0, 50}) {
    const auto begin = std::chrono::steady_clock::now();
    const auto result = importances(*space, least, trials, resamples);
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    std::printf("10,000 trials, %d resamples: %.1f ms\n", resamples, ms);
    EXPECT_EQ(result.size(), 6U);
  }
}

}  // namespace
}  // namespace nw::search
