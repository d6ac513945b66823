// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "engine/design/project_file.hpp"
#include "tests/support/paths.hpp"

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

Json reference() {
  std::ifstream in(test::tests_folder() + "/reference/schedules.json");
  return Json::parse(in);
}

TrainSettings of_reference(const Json& all, const Json& changes) {
  Json j = to_json(TrainSettings());
  j["epochs"] = all["epochs"];
  j["learning_rate"] = all["learning_rate"];
  j.update(changes);
  const auto s = settings_from_json(j, "the case");
  EXPECT_TRUE(s) << s.error().str();
  return *s;
}

/// Every update's rate by torch.optim.lr_scheduler.
TEST(Schedule, FollowsThoseOfPyTorch) {
  const Json all = reference();
  const std::int64_t per_epoch = all["per_epoch"];
  for (const Json& c : all["cases"]) {
    const TrainSettings s = of_reference(all, c["settings"]);
    for (std::size_t step = 0; step < c["rates"].size(); ++step)
      EXPECT_NEAR(learning_rate_at(s, static_cast<std::int64_t>(step), per_epoch), c["rates"][step].get<double>(),
                  1e-12)
          << c["settings"].dump() << ", step " << step;
  }
}

/// Every update's rate by torch.optim.swa_utils.SWALR after a schedule.
TEST(Schedule, TheRateOfWeightAveragingFollowsPyTorchs) {
  const Json all = reference();
  ASSERT_EQ(all["swa"].size(), 7U);
  const std::int64_t per_epoch = all["per_epoch"];
  for (const Json& c : all["swa"]) {
    const TrainSettings s = of_reference(all, c["settings"]);
    for (std::size_t step = 0; step < c["rates"].size(); ++step)
      EXPECT_NEAR(learning_rate_at(s, static_cast<std::int64_t>(step), per_epoch), c["rates"][step].get<double>(),
                  1e-12)
          << c["settings"].dump() << ", step " << step;
  }
}

TEST(Schedule, OneCycleAndPolynomialStayAtTheirEndBeyondIt) {
  TrainSettings s = with(ScheduleKind::one_cycle);
  EXPECT_NEAR(learning_rate_at(s, 5000, 100), 0.1 / 25 / 1e4, 1e-12);
  s = with(ScheduleKind::polynomial);
  s.min_learning_rate = 0.01;
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 5000, 100), 0.01);
  s = with(ScheduleKind::one_cycle);
  for (const double pct : {0.0, 1.0}) {
    s.pct_start = pct;
    for (const std::int64_t step : {0, 1, 500, 998, 999})
      EXPECT_TRUE(std::isfinite(learning_rate_at(s, step, 100))) << pct << " " << step;
  }
}

}  // namespace
}  // namespace nw
