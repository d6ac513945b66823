// SPDX-License-Identifier: Apache-2.0
// Each part of the data is read, normalized and measured as what it is.
#include "engine/train/training_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/predict/predictor.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

/// 239 training, 81 validation and 64 test images.
void three_parts(TrainSettings& s, DataChoice& d) {
  d.validation_fraction = 0.25;
  s.horizontal_flip = true;
}

RunDefinition definition() {
  RunDefinition d;
  d.doc = Trial::project(three_parts, "mlp");
  return d;
}

TrainingData opened(RunDefinition& d, bool resume = false) {
  auto data = open_training_data(d, false, resume);
  if (!data) throw std::runtime_error(data.error().str());
  return *std::move(data);
}

std::vector<std::int64_t> samples_of(const BatchBuilder& part) {
  std::vector<std::int64_t> out;
  part.order(0, false, out);
  return out;
}

TEST(PartsOfTheData, EachHasTheSamplesOfItsSplit) {
  RunDefinition d = definition();
  const TrainingData data = opened(d);
  ASSERT_EQ(data.splits.train.size(), 239u);
  ASSERT_EQ(data.splits.validation.size(), 81u);
  ASSERT_EQ(data.splits.test.size(), 64u);
  EXPECT_EQ(samples_of(*data.train), data.splits.train);
  EXPECT_EQ(samples_of(*data.validation), data.splits.validation);
  EXPECT_EQ(samples_of(*data.test), data.splits.test);
  for (const std::int64_t i : {0, 31, 63})
    EXPECT_EQ(data.test->bytes_in_memory(i, false), data.opened.test->in_memory(i)) << "of the test set's own images";
}

TEST(PartsOfTheData, OnlyTrainingImagesAreTransformed) {
  RunDefinition d = definition();
  const TrainingData data = opened(d);
  EXPECT_TRUE(data.train->augments());
  EXPECT_FALSE(data.validation->augments());
  EXPECT_FALSE(data.test->augments());
}

double mean_of(const Dataset& set, const std::vector<std::int64_t>& indices) {
  double sum = 0;
  for (const std::int64_t i : indices)
    for (std::int64_t b = 0; b < set.bytes(); ++b) sum += set.in_memory(i)[b] / 255.0;
  return sum / static_cast<double>(indices.size() * static_cast<std::size_t>(set.bytes()));
}

TEST(PartsOfTheData, TheNormalizationIsThatOfTheTrainingPart) {
  RunDefinition d = definition();
  const TrainingData data = opened(d);
  const double train = mean_of(*data.opened.train, data.splits.train),
               validation = mean_of(*data.opened.train, data.splits.validation);
  ASSERT_GT(std::abs(train - validation), 1e-4) << "too similar to tell them apart";
  ASSERT_EQ(d.mean.size(), 1u);
  EXPECT_NEAR(d.mean[0], train, 1e-6);
}

TEST(PartsOfTheData, OtherDataThanAtTheStartAreNoted) {
  RunDefinition d = definition();
  opened(d);
  EXPECT_TRUE(opened(d, true).notes.empty());
  RunDefinition other = d;
  other.data_hash ^= 1;
  const TrainingData changed = opened(other, true);
  ASSERT_EQ(changed.notes.size(), 1u);
  EXPECT_THAT(changed.notes[0].str(), HasSubstr("is not what this run was started with"));
  other = d;
  other.split_hash ^= 1;
  const TrainingData split = opened(other, true);
  ASSERT_EQ(split.notes.size(), 1u);
  EXPECT_THAT(split.notes[0].str(), HasSubstr("not split as when this run was started"));
}

Evaluation evaluated(const Trial& t, const std::string& split) {
  const auto predictor = Predictor::open(t.request.run, "latest");
  if (!predictor) throw std::runtime_error(predictor.error().str());
  auto e = (*predictor)->evaluate(split);
  if (!e) throw std::runtime_error(e.error().str());
  return *std::move(e);
}

/// What a run reports of a part after its last epoch is what the finished network computes for that part alone.
TEST(PartsOfTheData, ValidationAndTestAreMeasuredOnTheirOwnImages) {
  Trial t(three_parts);
  const auto result = t.run();
  ASSERT_TRUE(result) << result.error().str();
  const EpochEnd last = t.sink.all<EpochEnd>().back();
  const Evaluation train = evaluated(t, "train"), validation = evaluated(t, "validation"), test = evaluated(t, "test");
  ASSERT_GT(std::abs(train.loss - validation.loss), 1e-3) << "too similar to tell them apart";
  ASSERT_GT(std::abs(test.loss - validation.loss), 1e-3);
  EXPECT_NEAR(last.validation_loss, validation.loss, 1e-6 * validation.loss);
  EXPECT_DOUBLE_EQ(last.validation_accuracy, validation.accuracy);
  EXPECT_NEAR(result->ended.test_loss, test.loss, 1e-6 * test.loss);
  EXPECT_DOUBLE_EQ(result->ended.test_accuracy, test.accuracy);
}

/// Weights that hardly move: an epoch's loss is the mean over all its samples, whatever the size of the last batch.
TEST(PartsOfTheData, AShortLastBatchCountsByItsSamples) {
  Trial t([](TrainSettings& s, DataChoice& d) {
    d.validation_fraction = 0.25;
    s.batch = 190;  // and one of 49
    s.epochs = 1;
    s.learning_rate = 1e-9;
  });
  ASSERT_TRUE(t.run());
  const EpochEnd epoch = t.sink.all<EpochEnd>().back();
  const Evaluation train = evaluated(t, "train");
  EXPECT_NEAR(epoch.train_loss, train.loss, 1e-5 * train.loss);
  EXPECT_DOUBLE_EQ(epoch.train_accuracy, train.accuracy);
}

}  // namespace
}  // namespace nw
