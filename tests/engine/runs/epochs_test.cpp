// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/epochs.hpp"

#include <gtest/gtest.h>

#include <vector>

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

}  // namespace
}  // namespace nw
