// SPDX-License-Identifier: Apache-2.0
// Evaluations of multi-label and regression networks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/predict/evaluation_metrics.hpp"
#include "engine/predict/report.hpp"
#include "engine/predict/target_evaluation.hpp"
#include "tests/engine/train/shapes.hpp"

namespace nw {
namespace {
using testing::ElementsAre;
using testing::HasSubstr;

Evaluation made_up(TargetKind kind, std::int64_t outputs, std::vector<float> targets, std::vector<float> predicted) {
  Evaluation e{.kind = kind, .outputs = outputs, .targets = std::move(targets), .probability = std::move(predicted)};
  e.samples = static_cast<std::int64_t>(e.targets.size()) / outputs;
  for (std::int64_t i = 0; i < e.samples; ++i) e.sample.push_back(10 * i);
  e.loss_per_sample.assign(static_cast<std::size_t>(e.samples), 0.5F);
  return e;
}

TEST(TargetEvaluation, ShowsSetsOfLabelsAsClasses) {
  Evaluation e =
      made_up(TargetKind::labels, 2, {1, 0, 1, 1, 0, 0, 1, 1}, {0.9F, 0.2F, 0.6F, 0.4F, 0.1F, 0.3F, 0.8F, 0.7F});
  predicting::judge(e, {"cat", "dog"});
  EXPECT_THAT(e.names, ElementsAre("none", "cat", "cat + dog"));
  EXPECT_THAT(e.label, ElementsAre(1, 2, 0, 2));
  EXPECT_THAT(e.predicted, ElementsAre(1, 1, 0, 2));
  EXPECT_DOUBLE_EQ(e.accuracy, 0.75);
  EXPECT_FLOAT_EQ(e.confidence[1], 0.6F);
  EXPECT_FLOAT_EQ(e.confidence[2], 0.7F);
  EXPECT_EQ(e.confusion, (std::vector<std::int64_t>{1, 0, 0, 0, 1, 0, 0, 1, 1}));
  EXPECT_THAT(e.sets[2], ElementsAre(0, 1));
}

TEST(TargetEvaluation, GroupsRareSetsAndCountsDifferentOnesAsWrong) {
  std::vector<float> targets, predicted;
  for (int i = 0; i < 100; ++i)
    for (int k = 0; k < 7; ++k) {
      targets.push_back(static_cast<float>(i >> k & 1));
      predicted.push_back(static_cast<float>((i == 99 ? 98 : i) >> k & 1));
    }
  Evaluation e = made_up(TargetKind::labels, 7, targets, predicted);
  predicting::judge(e, {"a", "b", "c", "d", "e", "f", "g"});
  EXPECT_LE(e.names.size(), 66U);
  EXPECT_THAT(e.names, testing::Contains("other labels"));
  EXPECT_DOUBLE_EQ(e.accuracy, 0.99);
  int wrong = 0;
  for (std::size_t i = 0; i < 100; ++i) wrong += e.label[i] != e.predicted[i];
  EXPECT_EQ(wrong, 1);
}

TEST(TargetEvaluation, ShowsRangesOfNumbersAsClasses) {
  std::vector<float> targets, predicted;
  for (int i = 0; i < 100; ++i) {
    targets.push_back(static_cast<float>(i));
    predicted.push_back(static_cast<float>(i) + (i == 50 ? 30.0F : 0.0F));
  }
  Evaluation e = made_up(TargetKind::values, 1, targets, predicted);
  predicting::judge(e, {"age"});
  EXPECT_EQ(e.classes, 10);
  EXPECT_EQ(e.names[5], "50 – 59");
  EXPECT_EQ(e.label[50], 5);
  EXPECT_EQ(e.predicted[50], 8);
  EXPECT_NEAR(e.accuracy, 1 - 900 / (100 * (10000.0 - 1) / 12), 1e-9);
  EXPECT_THAT(e.confidence, testing::Each(-1.0F));
}

TEST(TargetEvaluation, OfATrainedNetworkAgreesWithItsTraining) {
  for (const auto& [target, loss, kind] :
       {std::tuple{"labels", "BCEWithLogits", TargetKind::labels}, {"values", "MSE", TargetKind::values}}) {
    ShapesTrial t(target, loss, [](TrainSettings& s, DataChoice& d) {
      s.epochs = 2;
      d.synthetic_train = 300;
    });
    ASSERT_TRUE(t.run());
    const Ended ended = t.sink.all<Ended>().front();
    auto p = Predictor::open(t.request.run, "latest");
    ASSERT_TRUE(p) << p.error().str();
    EXPECT_EQ((*p)->classes(), 3);
    const auto e = (*p)->evaluate("test");
    ASSERT_TRUE(e) << e.error().str();
    EXPECT_EQ(e->kind, kind);
    EXPECT_NEAR(e->loss, ended.test_loss, 1e-5 * ended.test_loss + 1e-7);
    EXPECT_NEAR(e->accuracy, ended.test_accuracy, 1e-4);
    const auto data = (*p)->data();
    std::vector<std::uint8_t> hwc(static_cast<std::size_t>((*data)->data.test->bytes()));
    ASSERT_TRUE((*data)->data.test->pixels(e->sample[3], hwc));
    const auto one = (*p)->predict(hwc, 1);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR((*one)[0].probability[k], e->probability[9 + k], 1e-5F);
    EXPECT_EQ(values_of(*e).size(), kind == TargetKind::values ? 3U : 0U);
    EXPECT_EQ(metrics_of(*e).classes.size(), kind == TargetKind::labels ? 3U : 0U);
    const auto page =
        html_report({&(*p)->definition(), "run", "latest", "test", "shapes", &*e, (*data)->set_of("test")});
    ASSERT_TRUE(page);
    EXPECT_THAT(*page, HasSubstr(kind == TargetKind::values ? "R²" : "triangle"));
    EXPECT_THAT(*page, HasSubstr(kind == TargetKind::values ? "Mean absolute error" : "All labels correct"));
  }
}

}  // namespace
}  // namespace nw
