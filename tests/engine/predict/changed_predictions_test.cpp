// SPDX-License-Identifier: Apache-2.0
// Two evaluations of the same images, image by image.
#include "engine/predict/changed_predictions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/predict/speed.hpp"

namespace nw {
namespace {

Evaluation evaluation(std::vector<std::int64_t> label, std::vector<std::int64_t> predicted,
                      std::vector<float> confidence) {
  Evaluation e;
  e.samples = std::ssize(label);
  for (std::int64_t i = 0; i < e.samples; ++i) e.sample.push_back(10 + i);
  std::int64_t right = 0;
  for (std::size_t i = 0; i < label.size(); ++i) right += label[i] == predicted[i];
  e.accuracy = static_cast<double>(right) / static_cast<double>(e.samples);
  e.label = std::move(label);
  e.predicted = std::move(predicted);
  e.confidence = std::move(confidence);
  return e;
}

TEST(ChangedPredictions, AreCountedAndTheMostCertainComeFirst) {
  const auto before = evaluation({0, 1, 2, 3, 4}, {0, 1, 2, 0, 0}, {0.9F, 0.4F, 0.8F, 0.6F, 0.5F}),
             after = evaluation({0, 1, 2, 3, 4}, {0, 0, 0, 3, 1}, {0.9F, 0.5F, 0.7F, 0.6F, 0.3F});
  const auto c = changed_predictions(before, after);
  ASSERT_TRUE(c) << c.error().str();
  EXPECT_EQ(c->both, 1);
  EXPECT_EQ(c->only_before, 2);
  EXPECT_EQ(c->only_after, 1);
  EXPECT_EQ(c->neither, 1);
  EXPECT_NEAR(c->change, -0.2, 1e-12);
  // Wald: 1.96 sqrt(3 - 1 / 5) / 5
  EXPECT_NEAR(c->change_high, -0.2 + 0.65594, 1e-4);
  EXPECT_NEAR(c->change_low, -0.2 - 0.65594, 1e-4);
  std::vector<std::int64_t> order;
  for (const Flip& f : c->flips) order.push_back(f.sample);
  EXPECT_EQ(order, (std::vector<std::int64_t>{12, 13, 14, 11}));
  EXPECT_EQ(c->flips.front().after, 0);
}

TEST(ChangedPredictions, HaveTheMarginBetweenBothClassesBefore) {
  auto before = evaluation({0, 1}, {0, 1}, {0.6F, 0.5F}), after = evaluation({0, 1}, {1, 2}, {0.9F, 0.9F});
  before.outputs = 3;
  before.probability = {0.6F, 0.3F, 0.1F, 0.3F, 0.5F, 0.2F};
  const auto c = changed_predictions(before, after);
  ASSERT_TRUE(c);
  EXPECT_NEAR(c->flips[0].margin, 0.3, 1e-6);
  EXPECT_NEAR(c->flips[1].margin, 0.3, 1e-6);
  before.probability.clear();
  EXPECT_TRUE(std::isnan(changed_predictions(before, after)->flips[0].margin));
}

TEST(NotFaster, NamesTheBatchesThatTakeAsLong) {
  const auto speed = [](std::int64_t batch, double ms) { return InferenceSpeed{.batch = batch, .latency_ms = ms}; };
  EXPECT_EQ(not_faster({speed(1, 2), speed(8, 2), speed(64, 2)}, {speed(1, 1), speed(8, 1.95), speed(64, 4)}),
            (std::vector<std::int64_t>{8, 64}));
}

TEST(ChangedPredictions, OfOtherImagesCannotBeCompared) {
  const auto one = evaluation({0, 1}, {0, 1}, {1, 1});
  auto other = one;
  other.sample[1] = 99;
  EXPECT_FALSE(changed_predictions(one, other));
  other = one;
  other.kind = TargetKind::values;
  EXPECT_FALSE(changed_predictions(one, other));
}

// scipy.stats.binomtest(k, n, 0.5).pvalue
TEST(ChangedPredictions, McNemarsTestIsExact) {
  EXPECT_EQ(mcnemar(0, 0), 1);
  EXPECT_EQ(mcnemar(3, 3), 1);
  EXPECT_NEAR(mcnemar(0, 5), 0.0625, 1e-12);
  EXPECT_NEAR(mcnemar(17, 11), 0.344928, 1e-5);
  EXPECT_NEAR(mcnemar(11, 17), mcnemar(17, 11), 1e-15);
  EXPECT_LT(mcnemar(100, 2000), 1e-100);
}

TEST(ChangedPredictions, WilsonsIntervalHoldsAtTheEnds) {
  EXPECT_NEAR(share_interval(1, 10).first, 0.722467, 1e-6);
  EXPECT_NEAR(share_interval(1, 10).second, 1, 1e-12);
  EXPECT_NEAR(share_interval(0.9868, 10000).first, 0.984369, 1e-5);
}

}  // namespace
}  // namespace nw
