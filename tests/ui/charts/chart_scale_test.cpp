// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>

#include "ui/charts/chart_scale.hpp"

namespace nw::ui {
namespace {

TEST(ChartScale, StepsAreOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_DOUBLE_EQ(niceStep(10, 5), 2);
  EXPECT_DOUBLE_EQ(niceStep(1, 4), 0.5);
  EXPECT_DOUBLE_EQ(niceStep(0.07, 4), 0.02);
  EXPECT_DOUBLE_EQ(niceStep(5000, 4), 2000);
}

TEST(ChartScale, TheLastEpochIsAlwaysWrittenAtTheAxis) {
  EXPECT_EQ(epochTicks(90, 7), (QVector<double>{0, 15, 30, 45, 60, 75, 90}));
  EXPECT_EQ(epochTicks(10, 10), (QVector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(epochTicks(10, 6), (QVector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(epochTicks(97, 6).last(), 97);
  EXPECT_EQ(epochTicks(1, 6).last(), 1);
}

TEST(ChartScale, LogarithmicTicksAreDecadesWhenTheRangeIsLong) {
  EXPECT_EQ(logTicks({0.005, 1.5}), (QVector<double>{0.01, 0.1, 1}));
  EXPECT_EQ(logTicks({0.9, 6}), (QVector<double>{1, 2, 5}));
}

TEST(ChartScale, OnAShortAxisOnlyLabelsWithRoomRemainAndDecadesFirst) {
  const Range rates{0.0033, 0.03};
  EXPECT_EQ(ticksWithRoom({0.005, 0.01, 0.02}, rates, 0.1, true), (QVector<double>{0.005, 0.01, 0.02}));
  EXPECT_EQ(ticksWithRoom({0.005, 0.01, 0.02}, rates, 0.4, true), (QVector<double>{0.01}));
  EXPECT_EQ(ticksWithRoom({0, 10000, 20000}, {0, 25000}, 0.5, false), (QVector<double>{0, 20000}));
  EXPECT_EQ(ticksWithRoom({0, 10000, 20000}, {0, 25000}, 1.5, false), (QVector<double>{20000}));
}

TEST(ChartScale, AnAxisHasTwoLabelsAtLeast) {
  EXPECT_EQ(linearTicks({0, 13000}, 1), (QVector<double>{0, 10000}));
  EXPECT_EQ(linearTicks({0, 21000}, 2), (QVector<double>{0, 20000}));
  EXPECT_EQ(linearTicks({-0.5, 13}, 1), (QVector<double>{0, 10}));
  EXPECT_EQ(linearTicks({6, 19}, 1), (QVector<double>{10, 15}));
  EXPECT_EQ(linearTicks({0, 100}, 4), (QVector<double>{0, 50, 100})) << "and no more than were asked for";
}

TEST(ChartScale, NumbersAtTheAxisAreShort) {
  EXPECT_EQ(tickText(0.01), QStringLiteral("0.01"));
  EXPECT_EQ(tickText(0.00001), QStringLiteral("1e-5"));
  EXPECT_EQ(tickText(0.3), QStringLiteral("0.3"));
  EXPECT_EQ(tickText(0), QStringLiteral("0"));
}

TEST(ChartScale, TheSteepBeginningOfALongCurveIsTrimmedAndAShortOneIsShownWhole) {
  QVector<double> loss{2.3, 2.0};
  for (int i = 0; i < 998; ++i) loss.append(0.1);
  Range range;
  ASSERT_TRUE(quantileRange(loss, {0, 0.02}, range));
  EXPECT_EQ(range, (Range{0.1, 0.1}));
  ASSERT_TRUE(quantileRange({2.3, 0.1}, {0, 0.02}, range));
  EXPECT_EQ(range, (Range{0.1, 2.3}));
}

TEST(ChartScale, ASpikeDoesNotMoveTheRangeAndAnEvenCurveIsShownWhole) {
  QVector<double> rate{900, 950, 1000, 980, 990, 52000, 1010, 970};
  Range range;
  ASSERT_TRUE(quantileRange(rate, {0, 0, 3}, range));
  EXPECT_EQ(range, (Range{900, 1010}));
  rate[5] = 2500;
  ASSERT_TRUE(quantileRange(rate, {0, 0, 3}, range));
  EXPECT_EQ(range.high, 2500) << "less than three times the usual";
  rate[5] = 52000;
  ASSERT_TRUE(quantileRange(rate, {}, range));
  EXPECT_EQ(range.high, 52000) << "the whole range was asked for";
}

TEST(ChartScale, NotANumberNeitherMovesTheRangeNorTheMean) {
  Range range;
  ASSERT_TRUE(quantileRange({1, qQNaN(), 3, qInf()}, {}, range));
  EXPECT_EQ(range, (Range{1, 3}));
  EXPECT_FALSE(quantileRange({qQNaN()}, {}, range));
  const QVector<double> s = smoothed({4, qQNaN(), 4}, 0.9);
  EXPECT_NEAR(s.last(), 4, 1e-12);
}

TEST(ChartScale, SmoothingStartsAtTheFirstValueAndFollowsAConstant) {
  const QVector<double> s = smoothed({5, 5, 5, 5}, 0.95);
  for (const double v : s) EXPECT_NEAR(v, 5, 1e-12);
  EXPECT_NEAR(smoothed({0, 10}, 0.5).last(), (0.5 * 0 + 10) / 1.5, 1e-12);
}

TEST(ChartScale, LabelsThatWouldOverlapArePushedApartInTheirOrder) {
  const QVector<double> p = pushedApart({50, 52, 51}, 15, 0, 100);
  EXPECT_EQ(p, (QVector<double>{50, 80, 65}));
  const QVector<double> low = pushedApart({99, 100}, 15, 0, 100);
  EXPECT_EQ(low, (QVector<double>{85, 100}));
}

TEST(ChartScale, ARangeIsNeverEmpty) {
  EXPECT_GT(paddedRange({3, 3}, false).size(), 0);
  EXPECT_EQ(paddedRange({5, 9}, true).low, 0);
  const Range log = paddedLogRange({0.01, 0.01});
  EXPECT_LT(log.low, 0.01);
  EXPECT_GT(log.high, 0.01);
}

}  // namespace
}  // namespace nw::ui
