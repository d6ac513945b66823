// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/design/settings.hpp"

namespace nw {
namespace {

TrainSettings with(ScheduleKind kind) {
  TrainSettings s;
  s.learning_rate = 0.1;
  s.epochs = 10;
  s.schedule = kind;
  return s;
}

TEST(Schedule, ConstantStaysConstant) {
  for (const std::int64_t step : {0, 1, 999}) EXPECT_EQ(learning_rate_at(with(ScheduleKind::constant), step, 100), 0.1);
}

TEST(Schedule, StepsDownByGammaEverySoManyEpochs) {
  TrainSettings s = with(ScheduleKind::step);
  s.step_epochs = 3;
  s.step_gamma = 0.5;
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 299, 100), 0.1);
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 300, 100), 0.05);
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 899, 100), 0.025);
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 900, 100), 0.0125);
}

TEST(Schedule, CosineGoesFromTheRateToTheMinimumInOneHalfPeriod) {
  TrainSettings s = with(ScheduleKind::cosine);
  s.min_learning_rate = 0.02;
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 0, 100), 0.1);
  EXPECT_NEAR(learning_rate_at(s, 500, 100), 0.06, 1e-12);
  EXPECT_NEAR(learning_rate_at(s, 250, 100), 0.06 + 0.04 * 0.7071067811865476, 1e-12);
  EXPECT_NEAR(learning_rate_at(s, 999, 100), 0.02, 1e-6);
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 5000, 100), 0.02) << "beyond the end it stays";
}

TEST(Schedule, WarmsUpLinearlyBeforeEverySchedule) {
  for (const ScheduleKind kind : {ScheduleKind::constant, ScheduleKind::cosine}) {
    TrainSettings s = with(kind);
    s.warmup_epochs = 0.5;
    EXPECT_DOUBLE_EQ(learning_rate_at(s, 0, 100), 0.1 / 50);
    EXPECT_DOUBLE_EQ(learning_rate_at(s, 24, 100), 0.05);
    EXPECT_DOUBLE_EQ(learning_rate_at(s, 49, 100), 0.1);
    EXPECT_DOUBLE_EQ(learning_rate_at(s, 50, 100), 0.1);
  }
}

/// Two of ten epochs warm up; the cosine's half period covers the other eight.
TEST(Schedule, TheCosineBeginsAfterTheWarmUp) {
  TrainSettings s = with(ScheduleKind::cosine);
  s.warmup_epochs = 2;
  s.min_learning_rate = 0.02;
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 200, 100), 0.1);
  EXPECT_NEAR(learning_rate_at(s, 400, 100), 0.06 + 0.04 * 0.7071067811865476, 1e-12);
  EXPECT_NEAR(learning_rate_at(s, 600, 100), 0.06, 1e-12);
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 1000, 100), 0.02);
}

/// The periods of the step schedule count from the start of the run.
TEST(Schedule, StepsGoDownAfterTheWarmUpToo) {
  TrainSettings s = with(ScheduleKind::step);
  s.warmup_epochs = 2;
  s.step_epochs = 3;
  s.step_gamma = 0.5;
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 200, 100), 0.1);
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 299, 100), 0.1);
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 300, 100), 0.05);
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 600, 100), 0.025);
}

TEST(Schedule, NoStepsAndNoPeriodAreNoDivisionByZero) {
  TrainSettings s = with(ScheduleKind::step);
  s.step_epochs = 0;
  EXPECT_GT(learning_rate_at(s, 0, 0), 0);
  TrainSettings all_warm = with(ScheduleKind::cosine);
  all_warm.warmup_epochs = 10;
  EXPECT_DOUBLE_EQ(learning_rate_at(all_warm, 1000, 100), 0.1);
}

}  // namespace
}  // namespace nw
