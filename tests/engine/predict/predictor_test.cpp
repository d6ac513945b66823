// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "tests/engine/predict/trained.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

std::unique_ptr<Predictor> open(const char* checkpoint = "latest", const char* backend = "cpu") {
  auto p = Predictor::open(trained().request.run, checkpoint, backend);
  EXPECT_TRUE(p) << p.error().str();
  return std::move(*p);
}

TEST(Predictor, ReachesTheAccuracyThatTrainingReported) {
  const auto told = trained().sink.all<Ended>();
  ASSERT_EQ(told.size(), 1u);
  const auto e = open()->evaluate("test");
  ASSERT_TRUE(e) << e.error().str();
  EXPECT_EQ(e->samples, 300);
  EXPECT_DOUBLE_EQ(e->accuracy, told[0].test_accuracy);
  EXPECT_GT(e->accuracy, 0.6) << "three epochs over 2,000 digits teach more than guessing";
}

TEST(Predictor, TheConfusionMatrixCountsEverySampleOnceInItsRow) {
  const auto e = open()->evaluate("test");
  ASSERT_TRUE(e);
  ASSERT_EQ(e->classes, 10);
  ASSERT_EQ(e->confusion.size(), 100u);
  std::vector<std::int64_t> counted(100, 0);
  double loss = 0;
  for (std::size_t i = 0; i < e->sample.size(); ++i) {
    ++counted[static_cast<std::size_t>(e->label[i] * 10 + e->predicted[i])];
    loss += static_cast<double>(e->loss_per_sample[i]);
    EXPECT_GE(e->confidence[i], 0.1f) << "the largest of ten probabilities";
    EXPECT_LE(e->confidence[i], 1.0f);
  }
  EXPECT_EQ(counted, e->confusion);
  EXPECT_NEAR(loss / 300, e->loss, 1e-5);
  std::int64_t right = 0;
  for (std::size_t c = 0; c < 10; ++c) right += e->confusion[c * 11];
  EXPECT_DOUBLE_EQ(static_cast<double>(right) / 300, e->accuracy);
}

TEST(Predictor, OneImageIsPredictedAsInTheWholeSetAndProbabilitiesAddUpToOne) {
  const auto p = open();
  const auto e = p->evaluate("test");
  ASSERT_TRUE(e);
  const SplitData d = data_of(*p);
  for (const std::size_t i : {0u, 7u, 299u}) {
    const auto one = p->predict(pixels(d, e->sample[i]), 1);
    ASSERT_TRUE(one) << one.error().str();
    ASSERT_EQ(one->size(), 1u);
    EXPECT_EQ((*one)[0].predicted, e->predicted[i]);
    EXPECT_NEAR((*one)[0].confidence, e->confidence[i], 1e-6);
    EXPECT_NEAR(std::accumulate((*one)[0].probability.begin(), (*one)[0].probability.end(), 0.0), 1, 1e-5);
    EXPECT_NEAR(-std::log((*one)[0].probability[static_cast<std::size_t>(e->label[i])]), e->loss_per_sample[i], 1e-3);
  }
}

TEST(Predictor, FastAndReferenceBackendAgree) {
  const auto fast = open()->evaluate("test"), slow = open("latest", "reference")->evaluate("test");
  ASSERT_TRUE(fast);
  ASSERT_TRUE(slow);
  EXPECT_NEAR(fast->loss, slow->loss, 1e-5);
  EXPECT_EQ(fast->predicted, slow->predicted);
}

TEST(Predictor, MoreImagesThanABatchComeBackInOrder) {
  const auto p = open();
  const SplitData d = data_of(*p);
  std::vector<std::uint8_t> all;
  for (std::int64_t i = 0; i < 300; ++i) {
    const auto one = pixels(d, i);
    all.insert(all.end(), one.begin(), one.end());
  }
  const auto together = p->predict(all, 300);
  ASSERT_TRUE(together);
  ASSERT_EQ(together->size(), 300u);
  for (const std::int64_t i : {0, 255, 256, 299}) {
    const auto alone = p->predict(pixels(d, i), 1);
    ASSERT_TRUE(alone);
    EXPECT_EQ((*together)[static_cast<std::size_t>(i)].predicted, (*alone)[0].predicted) << i;
  }
}

TEST(Predictor, ShowsTheOutputOfALayer) {
  const auto p = open();
  const auto hwc = pixels(data_of(*p), 3);
  const auto conv = p->activation(hwc, "conv1"), pooled = p->activation(hwc, "pool1"),
             relu = p->activation(hwc, "relu1");
  ASSERT_TRUE(conv) << conv.error().str();
  ASSERT_TRUE(pooled);
  ASSERT_TRUE(relu);
  EXPECT_EQ(to_string(conv->first), "6×28×28");
  EXPECT_EQ(to_string(pooled->first), "6×14×14");
  ASSERT_EQ(conv->second.size(), 6u * 28 * 28);
  for (std::size_t i = 0; i < relu->second.size(); ++i) EXPECT_EQ(relu->second[i], std::max(0.0f, conv->second[i]));
  for (std::size_t c = 0; c < 6; ++c)
    for (std::size_t y = 0; y < 14; ++y) {
      const auto at = [&](std::size_t row, std::size_t column) {
        return std::max(0.0f, conv->second[(c * 28 + row) * 28 + column]);
      };
      EXPECT_EQ(pooled->second[(c * 14 + y) * 14 + 5],
                std::max({at(2 * y, 10), at(2 * y, 11), at(2 * y + 1, 10), at(2 * y + 1, 11)}));
    }
}

TEST(Predictor, ReportsWhatItCannotDo) {
  const auto p = open();
  const std::vector<std::uint8_t> small(10, 0);
  EXPECT_THAT(p->predict(small, 1).error().str(), HasSubstr("28×28×1"));
  EXPECT_THAT(p->activation(std::vector<std::uint8_t>(784, 0), "nobody").error().str(), HasSubstr("\"nobody\""));
  EXPECT_EQ(p->evaluate("holdout").error().code, Errc::usage);
  EXPECT_FALSE(Predictor::open(trained().request.run, "step-999999"));
  EXPECT_FALSE(Predictor::open(trained().request.run, "../../etc"));
  EXPECT_FALSE(Predictor::open(trained().folder.path / "nothing", "best"));
}

TEST(Predictor, EvaluationCanBeCancelledAndRepeated) {
  const auto p = open();
  int calls = 0;
  p->progress = [&](double share) { return share <= 1 && ++calls > 1; };
  const auto cancelled = p->evaluate("train");
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, Errc::stopped);
  p->progress = nullptr;
  EXPECT_TRUE(p->evaluate("train"));
}

TEST(Predictor, BinaryNetworksHaveTwoClasses) {
  Trial odd(
      [](TrainSettings& s, DataChoice& d) {
        d.target = "odd";
        d.synthetic_train = 1000;
        s.epochs = 3;
      },
      "mlp-binary");
  ASSERT_TRUE(odd.run());
  const auto p = Predictor::open(odd.request.run, "latest");
  ASSERT_TRUE(p) << p.error().str();
  EXPECT_EQ((*p)->classes(), 2);
  const auto e = (*p)->evaluate("test");
  ASSERT_TRUE(e) << e.error().str();
  EXPECT_EQ(e->confusion.size(), 4u);
  EXPECT_DOUBLE_EQ(e->accuracy, odd.sink.all<Ended>()[0].test_accuracy);
  for (const float c : e->confidence) EXPECT_GE(c, 0.5f);
}

}  // namespace
}  // namespace nw
