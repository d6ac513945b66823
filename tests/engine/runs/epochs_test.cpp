// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/epochs.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tests/support/run_writer.hpp"

namespace nw {
namespace {

EpochEnd epoch(std::int64_t number, double train, double validation = -1) {
  EpochEnd e;
  e.epoch = number;
  e.train_accuracy = train;
  e.has_validation = validation >= 0;
  e.validation_accuracy = validation >= 0 ? validation : 0;
  return e;
}

TEST(Epochs, AreComparedByValidationAccuracy) {
  const std::vector<EpochEnd> epochs = {epoch(1, 0.5, 0.6), epoch(2, 0.8, 0.7), epoch(3, 0.9, 0.65)};
  EXPECT_DOUBLE_EQ(compared_accuracy(epochs[1]), 0.7);
  EXPECT_EQ(best_epoch(epochs)->epoch, 2);
}

TEST(Epochs, AreComparedByTrainingAccuracyWithoutAValidationSet) {
  const std::vector<EpochEnd> epochs = {epoch(1, 0.5), epoch(2, 0.8), epoch(3, 0.9)};
  EXPECT_DOUBLE_EQ(compared_accuracy(epochs[2]), 0.9);
  EXPECT_EQ(best_epoch(epochs)->epoch, 3);
}

TEST(Epochs, TheFirstOfEquallyAccurateEpochsIsTheBest) {
  const std::vector<EpochEnd> epochs = {epoch(1, 0.5, 0.7), epoch(2, 0.6, 0.7)};
  EXPECT_EQ(best_epoch(epochs)->epoch, 1);
  EXPECT_EQ(best_epoch({}), nullptr);
}

TEST(Epochs, OfEquallyAccurateEpochsTheOneWithTheLowerLossIsTheBest) {
  std::vector<EpochEnd> epochs = {epoch(1, 0.5, 0.7), epoch(2, 0.6, 0.7), epoch(3, 0.6, 0.9)};
  epochs[0].validation_loss = 0.8;
  epochs[1].validation_loss = 0.7;
  epochs[2].validation_loss = std::numeric_limits<double>::infinity();
  EXPECT_EQ(best_epoch(epochs)->epoch, 2) << "as the checkpoint \"best\" is chosen";
  std::swap(epochs[0], epochs[2]);
  EXPECT_EQ(best_epoch(epochs)->epoch, 2) << "an infinite loss is never better, even as the first";
}

TEST(Epochs, OfAFolderAreThoseThatNoResumeTookBack) {
  const test::TemporaryFolder place;
  test::RunWriter run(place.path(), test::definition_of());
  EXPECT_TRUE(recorded_epochs(run.folder()).empty());
  run.post(0, Started{});
  for (const std::int64_t number : {1, 2, 3}) {
    EpochEnd e = epoch(number, 0.5, 0.6);
    e.step = 10 * number;
    run.post(static_cast<double>(number), e);
  }
  run.post(0, Resumed{10, 1, 5000});
  EpochEnd again = epoch(2, 0.5, 0.75);
  again.step = 20;
  run.post(1, again);
  run.raw("{\"type\":\"epoch\", damaged\n{\"type\":\"epoch\"");
  const std::vector<EpochEnd> epochs = recorded_epochs(run.folder());
  ASSERT_EQ(epochs.size(), 2u);
  EXPECT_EQ(epochs[0].epoch, 1);
  EXPECT_DOUBLE_EQ(epochs[1].validation_accuracy, 0.75);
}

TEST(Epochs, AStepIsAFractionOfTheEpochsThatHaveEnded) {
  std::vector<EpochEnd> epochs = {epoch(1, 0.5), epoch(2, 0.6), epoch(3, 0.7)};
  epochs[0].step = 100, epochs[1].step = 200, epochs[2].step = 250;  // the batch was doubled after the second epoch
  EXPECT_DOUBLE_EQ(epoch_of_step(epochs, 0), 0);
  EXPECT_DOUBLE_EQ(epoch_of_step(epochs, 50), 0.5);
  EXPECT_DOUBLE_EQ(epoch_of_step(epochs, 200), 2);
  EXPECT_DOUBLE_EQ(epoch_of_step(epochs, 225), 2.5);
  EXPECT_DOUBLE_EQ(epoch_of_step(epochs, 300), 4) << "as in the last epoch";
  EXPECT_DOUBLE_EQ(epoch_of_step({}, 10), -1) << "unknown";
  EXPECT_DOUBLE_EQ(epoch_of_step({}, 0), 0);
}

}  // namespace
}  // namespace nw
