// SPDX-License-Identifier: Apache-2.0
// Ranges of values, and the whole numbers that stand for them.
#include "engine/compress/ranges.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace nw::compress {
namespace {

ValueRange range_of(const std::vector<float>& values) {
  ValueRange r;
  r.add(values);
  return r;
}

/// `count` values up to 1, evenly, and `outliers`.
std::vector<float> even(std::vector<float> outliers = {}, int count = 10'000) {
  for (int i = 0; i < count; ++i)
    outliers.push_back((static_cast<float>(i) + 0.5F) / static_cast<float>(count) * (i % 2 == 0 ? 1 : -1));
  return outliers;
}

TEST(Ranges, TheHistogramGrowsAsIfItHadKnownTheLargestValue) {
  const std::vector<float> small = even(), large{-100, 37.5F, 0};
  ValueRange grown;
  grown.add(small);
  EXPECT_EQ(grown.magnitudes.end(), 1);
  grown.add(large);
  std::vector<float> all = large;
  all.insert(all.end(), small.begin(), small.end());
  const ValueRange at_once = range_of(all);
  EXPECT_EQ(grown.magnitudes.end(), 128);
  EXPECT_EQ(grown.magnitudes.counts(), at_once.magnitudes.counts());
  EXPECT_EQ(grown.magnitudes.total(), 10'002U) << "zeros are not counted";
  EXPECT_EQ(grown.count, 10'003U);
  EXPECT_EQ(grown.least, -100);
  EXPECT_EQ(grown.most, 37.5F);
}

TEST(Ranges, LeastAndMostNeedNotHoldZero) {
  ValueRange r = range_of({3, 5});
  r.add(std::vector<float>{4});
  EXPECT_EQ(r.least, 3);
  EXPECT_EQ(r.most, 5);
}

TEST(Ranges, MinmaxKeepsEveryValue) {
  EXPECT_EQ(limit_of(range_of({-3, 2}), CalibrationMethod::minmax), 3);
  EXPECT_EQ(limit_of(range_of(even({50})), CalibrationMethod::minmax), 50);
}

TEST(Ranges, PercentileClipsOneInTenThousand) {
  const double clipped = limit_of(range_of(even({-50})), CalibrationMethod::percentile);
  EXPECT_GE(clipped, 0.999);
  EXPECT_LE(clipped, 1 + 2 * 64.0 / Magnitudes::bins);
  EXPECT_EQ(limit_of(range_of(even({50, 50, 50})), CalibrationMethod::percentile), 50);
}

TEST(Ranges, TheRestOfASparseValueIsNotItsLargest) {
  std::vector<float> sparse(1'000'000, 0.0F);
  for (int i = 0; i < 50; ++i) sparse[static_cast<std::size_t>(i)] = 1 + static_cast<float>(i % 10);
  EXPECT_EQ(limit_of(range_of(sparse), CalibrationMethod::percentile), 10);
}

double error_of(const std::vector<float>& values, double limit) {
  double sum = 0;
  for (const float v : values) {
    const double e = static_cast<double>(v) - static_cast<double>(quantized(v, scale_of(limit))) * scale_of(limit);
    sum += e * e;
  }
  return sum;
}

TEST(Ranges, MseHasTheLeastErrorOfAllLimits) {
  const std::vector<float> values = even({3}, 200'000);
  const ValueRange r = range_of(values);
  const double chosen = limit_of(r, CalibrationMethod::mse);
  EXPECT_LT(chosen, 3);
  const double error = error_of(values, chosen);
  EXPECT_LT(error, 0.9 * error_of(values, limit_of(r, CalibrationMethod::minmax)));
  for (double limit = 0.8; limit <= 3; limit += 0.1) EXPECT_LT(error, 1.05 * error_of(values, limit)) << limit;
}

TEST(Ranges, AConstantZeroHasARangeAllTheSame) {
  for (const auto m : {CalibrationMethod::minmax, CalibrationMethod::percentile, CalibrationMethod::mse}) {
    EXPECT_EQ(limit_of(range_of({0, 0, 0}), m), 1);
    EXPECT_EQ(limit_of(ValueRange{}, m), 1) << "without any value";
    EXPECT_EQ(limit_of(range_of({1e-38F, 0}), m), 1) << "whose scale would not be a normal number";
    EXPECT_NEAR(limit_of(range_of({0.25F, 0.25F}), m), 0.25, 0.03) << name_of(m);
  }
}

TEST(Ranges, NumbersThatAreNotFiniteAreCountedAndChangeNothing) {
  ValueRange r = range_of({1, 2});
  r.add(std::vector<float>{std::numeric_limits<float>::quiet_NaN(), 7, -INFINITY});
  EXPECT_EQ(r.not_finite, 2U);
  EXPECT_EQ(r.most, 2);
  EXPECT_EQ(r.magnitudes.total(), 2U);
}

TEST(Ranges, HugeAndTinyValuesFitTheHistogram) {
  ValueRange r = range_of({1e-20F});
  r.add(std::vector<float>{std::numeric_limits<float>::max(), -std::numeric_limits<float>::denorm_min()});
  EXPECT_TRUE(std::isfinite(limit_of(r, CalibrationMethod::mse)));
  EXPECT_EQ(r.magnitudes.total(), 3U);
}

TEST(Ranges, WholeNumbersAreNearestTiesToEvenAndSymmetric) {
  EXPECT_EQ(quantized(2.5F, 1), 2);
  EXPECT_EQ(quantized(3.5F, 1), 4);
  EXPECT_EQ(quantized(-2.6F, 1), -3);
  EXPECT_EQ(quantized(1000, 1), 127);
  EXPECT_EQ(quantized(-1000, 1), -127) << "-128 has no counterpart";
  EXPECT_EQ(quantized(0.5F, scale_of(0.5)), 127);
}

TEST(Ranges, MethodsHaveNames) {
  EXPECT_EQ(calibration_method("mse"), CalibrationMethod::mse);
  EXPECT_EQ(calibration_method("entropy"), std::nullopt);
}

}  // namespace
}  // namespace nw::compress
