// SPDX-License-Identifier: Apache-2.0
// Normal distribution, Parzen densities and Pareto fronts against slow and plain computations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/search/normal.hpp"
#include "engine/search/pareto.hpp"
#include "engine/search/parzen.hpp"
#include "engine/search/sampler.hpp"

namespace nw::search {
namespace {

TEST(Normal, TheQuantileIsTheInverseOfTheProbability) {
  for (double z = -8; z <= 5; z += 0.25) EXPECT_NEAR(normal_quantile(normal_cdf(z)), z, 1e-6) << z;
  EXPECT_EQ(normal_quantile(0), -38);
  EXPECT_EQ(normal_quantile(1), 38);
}

TEST(Normal, MassesKeepTheirDigitsInTheTails) {
  EXPECT_NEAR(log_normal_mass(-1, 1), std::log(0.682689492137), 1e-9);
  EXPECT_NEAR(log_normal_mass(10, 11), std::log(7.619853024160527e-24 - 1.910659574498669e-28), 1e-9);
  EXPECT_EQ(log_normal_mass(10, 11), log_normal_mass(-11, -10));
  EXPECT_TRUE(std::isfinite(log_normal_mass(60, 61)));
}

struct Observed {
  Space space;
  std::vector<Point> points;
  Observed(Parameter p, std::size_t count) : space{{std::move(p)}} {
    Draw draw(5, 0);
    for (std::size_t i = 0; i < count; ++i) points.push_back(random_point(space, draw));
  }
  Parzen density() const {
    std::vector<const Point*> each;
    for (const Point& p : points) each.push_back(&p);
    const std::size_t axes[] = {0};
    const std::vector<double> weights(points.size(), 1);
    return {space, axes, each, weights};
  }
};

Parameter real(double low, double high, double step = 0, bool log = false) {
  return {
      .name = "a", .sets = {"a"}, .kind = Parameter::Kind::real, .low = low, .high = high, .step = step, .log = log};
}

/// Optuna's kernels written plainly, with our narrowing: sorted neighbours, clipped widths.
double plain_density(const Observed& o, double x) {
  const Parameter& p = o.space.parameters[0];
  std::vector<double> centre;
  for (const Point& point : o.points) centre.push_back(point[0]);
  std::sort(centre.begin(), centre.end());
  const double range = p.high - p.low, least = range / std::min(100.0, 2 + 2.0 * static_cast<double>(centre.size()));
  const auto kernel = [&](double mu, double sigma) {
    const double z = (x - mu) / sigma;
    return std::exp(-0.5 * z * z) / std::sqrt(2 * M_PI) / sigma /
           (normal_cdf((p.high - mu) / sigma) - normal_cdf((p.low - mu) / sigma));
  };
  double sum = kernel((p.low + p.high) / 2, range);
  for (std::size_t i = 0; i < centre.size(); ++i) {
    const double before = i == 0 ? 0 : centre[i] - centre[i - 1];
    const double after = i + 1 == centre.size() ? 0 : centre[i + 1] - centre[i];
    sum += kernel(centre[i], std::clamp(std::max(before, after), least, range));
  }
  return sum / (static_cast<double>(centre.size()) + 1);
}

TEST(ParzenDensity, IsThatOfThePlainKernelsForFewAndForManyPoints) {
  for (const std::size_t count : {2, 7, 150, 199, 200, 900}) {
    const Observed o(real(-3, 5), count);
    std::vector<Point> at;
    for (double x = -3; x <= 5; x += 0.37) at.push_back({x});
    const auto logs = o.density().log_density(at);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double plain = plain_density(o, at[i][0]);
      EXPECT_NEAR(std::exp(logs[i]) / plain, 1, 1e-3) << count << " points at " << at[i][0];
    }
  }
}

TEST(ParzenDensity, OverAllStepsOrChoicesAddsUpToOne) {
  const Parameter choice{.name = "a", .sets = {"a"}, .kind = Parameter::Kind::choice, .values = {1, 2, 3, 4}};
  const Parameter whole{
      .name = "a", .sets = {"a"}, .kind = Parameter::Kind::integer, .low = 1, .high = 9, .step = 1, .log = true};
  for (const Parameter& p : {choice, real(0, 1, 0.1), whole})
    for (const std::size_t count : {0, 1, 5, 400}) {
      const Observed o(p, count);
      std::vector<Point> all;
      for (std::int64_t i = 0; i < values_of(p); ++i) all.push_back(grid_point(o.space, i));
      double sum = 0;
      for (const double log : o.density().log_density(all)) sum += std::exp(log);
      EXPECT_NEAR(sum, 1, 1e-4) << count << " points";
    }
}

TEST(ParzenDensity, DrawsFollowIt) {
  Observed o(real(0, 1), 0);
  o.points = {{0.2}, {0.21}, {0.22}, {0.2}};
  const Parzen density = o.density();
  Draw draw(1, 1);
  int near = 0;
  for (int i = 0; i < 2000; ++i) {
    Point point(1);
    density.draw(draw, point);
    EXPECT_TRUE(point[0] >= 0 && point[0] <= 1);
    near += point[0] < 0.5 ? 1 : 0;
  }
  EXPECT_GT(near, 1600);
  EXPECT_LT(near, 1990) << "the wide kernel is drawn too";
}

TEST(Pareto, FrontsAreThoseOfPairwiseComparison) {
  Draw draw(3, 3);
  std::vector<Losses> points;
  for (int i = 0; i < 300; ++i) points.push_back({std::floor(draw.uniform() * 20), std::floor(draw.uniform() * 20)});
  const auto front = fronts(points);
  const auto dominates = [](const Losses& a, const Losses& b) { return a[0] <= b[0] && a[1] <= b[1] && a != b; };
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::size_t deepest = 0;  // one more than the deepest front of those that dominate it
    for (std::size_t k = 0; k < points.size(); ++k)
      if (dominates(points[k], points[i])) deepest = std::max(deepest, front[k] + 1);
    EXPECT_EQ(front[i], deepest);
  }
}

TEST(Pareto, HypervolumeIsTheAreaThatIsDominated) {
  const std::vector<Losses> points = {{1, 3}, {2, 2}, {3, 1}, {3, 3}, {9, 9}};
  EXPECT_DOUBLE_EQ(hypervolume(points, {4, 4}), 3 + 2 + 1);
  EXPECT_DOUBLE_EQ(hypervolume({}, {4, 4}), 0);
  const auto two = largest_area(std::vector<Losses>{{1, 3}, {1.1, 2.9}, {3, 1}}, 2);
  EXPECT_EQ(two.size(), 2U);
  EXPECT_NE(std::find(two.begin(), two.end(), 2U), two.end()) << "not the two beside each other";
}

TEST(Pareto, CrowdingIsInfiniteAtTheEnds) {
  const auto distance = crowding(std::vector<Losses>{{1, 5}, {2, 4}, {4, 2}, {5, 1}});
  EXPECT_TRUE(std::isinf(distance[0]) && std::isinf(distance[3]));
  EXPECT_DOUBLE_EQ(distance[1], 1.5);
}

}  // namespace
}  // namespace nw::search
