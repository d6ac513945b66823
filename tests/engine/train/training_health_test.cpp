// SPDX-License-Identifier: Apache-2.0
#include "engine/train/training_health.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/runs/epochs.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr ChanceLevel ten_classes{10, 1000, 0.1};

EpochEnd epoch(std::int64_t number, double train_loss, double train_accuracy, double loss, double accuracy) {
  EpochEnd e;
  e.epoch = number;
  e.train_loss = train_loss;
  e.train_accuracy = train_accuracy;
  e.has_validation = true;
  e.validation_loss = loss;
  e.validation_accuracy = accuracy;
  return e;
}
std::vector<std::string> warnings_of(TrainingHealth& health, const EpochEnd& e) {
  std::vector<std::string> all;
  for (const Text& warning : health.judge(e)) all.push_back(warning.str());
  return all;
}

TEST(TrainingHealth, ALearningNetworkIsHealthy) {
  TrainingHealth health(ten_classes, 10);
  for (int i = 1; i <= 10; ++i)
    EXPECT_THAT(warnings_of(health, epoch(i, 2.0 / i, 0.5 + 0.04 * i, 2.2 / i, 0.5 + 0.035 * i)), IsEmpty()) << i;
}

TEST(TrainingHealth, AnExplodedValidationLossIsReportedOnceAfterTheSecondEpoch) {
  TrainingHealth health(ten_classes, 10);
  EXPECT_THAT(warnings_of(health, epoch(1, 2, 0.3, 242'497, 0.3)), IsEmpty());
  EXPECT_THAT(
      warnings_of(health, epoch(2, 2, 0.3, 242'497, 0.3)),
      ElementsAre("The validation loss is 2.42e+05 after epoch 2; guessing would give 2.3. Lower the learning rate."));
  EXPECT_THAT(warnings_of(health, epoch(3, 2, 0.3, 242'497, 0.3)), IsEmpty());
  TrainingHealth fine(ten_classes, 10);
  fine.judge(epoch(1, 2, 0.3, 22, 0.3));
  EXPECT_THAT(warnings_of(fine, epoch(2, 2, 0.3, 22, 0.3)), IsEmpty()) << "below ten times the loss of guessing";
}

TEST(TrainingHealth, AnAccuracyAtChanceIsReportedAfterThreeEpochs) {
  TrainingHealth health(ten_classes, 10);
  EXPECT_THAT(warnings_of(health, epoch(1, 2.3, 0.1, 2.3, 0.1)), IsEmpty());
  EXPECT_THAT(warnings_of(health, epoch(2, 2.3, 0.1, 2.3, 0.1)), IsEmpty());
  EXPECT_THAT(warnings_of(health, epoch(3, 2.3, 0.1, 2.3, 0.117)),
              ElementsAre(HasSubstr("The accuracy is 11.7 % after epoch 3, no better than always answering")));
  EXPECT_THAT(warnings_of(health, epoch(4, 2.3, 0.1, 2.3, 0.1)), IsEmpty()) << "once";
  TrainingHealth better(ten_classes, 10);
  better.judge(epoch(1, 2.3, 0.1, 2.3, 0.1));
  better.judge(epoch(2, 2.3, 0.1, 2.3, 0.1));
  EXPECT_THAT(warnings_of(better, epoch(3, 2.3, 0.1, 2.3, 0.125)), IsEmpty()) << "2.6 standard deviations above chance";
}

TEST(TrainingHealth, ARunOfOneEpochIsJudgedByItsLossAlone) {
  TrainingHealth health(ten_classes, 1);
  EXPECT_THAT(warnings_of(health, epoch(1, 3, 0.1, 300, 0.1)), ElementsAre(HasSubstr("validation loss")));
}

TEST(TrainingHealth, OverFittingIsReportedWhenOnlyTheTrainingLossFalls) {
  TrainingHealth health(ten_classes, 20);
  EXPECT_THAT(warnings_of(health, epoch(1, 1.5, 0.5, 1.4, 0.5)), IsEmpty());
  EXPECT_THAT(warnings_of(health, epoch(2, 1.0, 0.7, 1.0, 0.65)), IsEmpty());
  EXPECT_THAT(warnings_of(health, epoch(3, 0.5, 0.9, 1.4, 0.66)), IsEmpty());
  EXPECT_THAT(warnings_of(health, epoch(4, 0.4, 0.9, 1.5, 0.66)), IsEmpty());
  EXPECT_THAT(warnings_of(health, epoch(5, 0.3, 0.95, 1.6, 0.66)),
              ElementsAre(HasSubstr("since epoch 2 the validation loss has risen from 1 to 1.6")));
  TrainingHealth interrupted(ten_classes, 20);
  interrupted.judge(epoch(1, 1.0, 0.7, 1.0, 0.65));
  for (const double loss : {1.4, 1.5, 1.2, 1.4, 1.5})
    EXPECT_THAT(warnings_of(interrupted, epoch(2, 0.4, 0.9, loss, 0.66)), IsEmpty()) << "not three in a row";
}

TEST(TrainingHealth, AfterAResumeNothingIsReportedAgainAndNothingIsForgotten) {
  const EpochEnd before[] = {epoch(1, 1.5, 0.5, 1.0, 0.5), epoch(2, 0.9, 0.7, 1.4, 0.5), epoch(3, 0.8, 0.7, 1.4, 0.5)};
  TrainingHealth health(ten_classes, 20);
  health.restore(before);
  EXPECT_THAT(warnings_of(health, epoch(4, 0.7, 0.8, 1.4, 0.5)), ElementsAre(HasSubstr("since epoch 1")))
      << "the lowest loss is that of an epoch before the resume, the third in a row is the first after it";
  const EpochEnd at_chance[] = {epoch(1, 2.3, 0.1, 300, 0.1), epoch(2, 2.3, 0.1, 300, 0.1),
                                epoch(3, 2.3, 0.1, 300, 0.1)};
  TrainingHealth reported(ten_classes, 20);
  reported.restore(at_chance);
  EXPECT_THAT(warnings_of(reported, epoch(4, 2.3, 0.1, 300, 0.1)), IsEmpty()) << "both were reported before";
}

TEST(TrainingHealth, NumbersHaveNoChanceLevel) {
  TrainingHealth health({}, 3);
  for (int i = 1; i <= 3; ++i) EXPECT_THAT(warnings_of(health, epoch(i, 9, 0, 1e9, 0)), IsEmpty());
}

TEST(TrainingHealth, ATrainingThatLearnsNothingEndsWithAWarning) {
  Trial t([](TrainSettings& s, DataChoice&) {
    s.learning_rate = 1e-9;
    s.epochs = 3;
  });
  ASSERT_TRUE(t.run());
  std::vector<std::string> messages;
  for (const Health& h : t.sink.all<Health>()) messages.push_back(h.message.str());
  EXPECT_THAT(messages, testing::Contains(HasSubstr("no better than always answering the most common class")));
}

TEST(TrainingHealth, OfAResumedRunIsJudgedFromItsFirstEpoch) {
  Trial t([](TrainSettings& s, DataChoice&) {
    s.learning_rate = 1e-9;
    s.epochs = 6;
  });
  t.sink.then = [&](const Event& e) {
    if (const auto* epoch = std::get_if<EpochEnd>(&e.what); epoch && epoch->epoch == 4) t.control.stop(false);
  };
  ASSERT_TRUE(t.run());
  ASSERT_EQ(recorded_epochs(t.request.run).size(), 4u);
  Recording more;
  ASSERT_TRUE(t.resume(more));
  for (const Health& h : more.all<Health>())
    EXPECT_THAT(h.message.str(), testing::Not(HasSubstr("most common class"))) << "it was reported after epoch 3";
}

}  // namespace
}  // namespace nw
