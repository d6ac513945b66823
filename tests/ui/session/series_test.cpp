// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>

#include "ui/session/run_feed.hpp"

namespace nw::ui {
namespace {

TEST(Series, KeepsEveryPointBelowTheLimit) {
  Series s;
  for (int i = 0; i < Series::capacity; ++i) s.add(i, 2 * i, 2 * i - 1, 2 * i + 1);
  ASSERT_EQ(s.x.size(), Series::capacity);
  EXPECT_EQ(s.stride, 1);
  EXPECT_EQ(s.y[777], 2 * 777);
}

TEST(Series, AMillionStepsAreThinnedAndNoMinimumOrMaximumIsLost) {
  Series s;
  constexpr int steps = 1'000'000, dip = 123'456, spike = 777'777;
  for (int i = 0; i < steps; ++i) s.add(i, 1, i == dip ? -50 : 0.5, i == spike ? 90 : 1.5);
  EXPECT_LE(s.x.size(), Series::capacity);
  EXPECT_GE(s.x.size(), Series::capacity / 4) << "thinned more than needed";
  EXPECT_EQ(*std::min_element(s.low.begin(), s.low.end()), -50);
  EXPECT_EQ(*std::max_element(s.high.begin(), s.high.end()), 90);
  EXPECT_TRUE(std::is_sorted(s.x.begin(), s.x.end()));
  EXPECT_EQ(s.x.last(), steps - 1);
}

TEST(Series, HasOneResolutionFromItsBeginningToItsEnd) {
  Series s;
  for (int i = 0; i < 1'000'000; ++i) s.add(i, i, i, i);
  double widest = 0;
  for (qsizetype i = 1; i < s.x.size(); ++i) widest = std::max(widest, s.x[i] - s.x[i - 1]);
  EXPECT_LE(widest, s.stride);
}

TEST(Series, TheMeanOfMergedPointsIsTheMeanOfTheirValues) {
  Series s;
  for (int i = 0; i < Series::capacity + 2; ++i) s.add(i, i % 2 == 0 ? 0 : 10, 0, 10);
  EXPECT_EQ(s.stride, 2);
  EXPECT_EQ(s.y.first(), 5);
  EXPECT_EQ(s.y.last(), 5);
}

TEST(Series, PointsAfterTheResumedStepAreRemoved) {
  Series s;
  for (int i = 0; i < 100; ++i) s.add(i * 0.1, i, i, i);
  s.cutAfter(5.0001);
  EXPECT_EQ(s.x.size(), 51);
  s.add(5.1, 1000, 1000, 1000);
  EXPECT_EQ(s.y.last(), 1000) << "new points do not blend with the old curve";
}

}  // namespace
}  // namespace nw::ui
