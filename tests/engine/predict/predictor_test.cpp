// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "engine/predict/evaluation_metrics.hpp"
#include "engine/predict/label_issues.hpp"
#include "engine/predict/report.hpp"
#include "tests/engine/predict/trained.hpp"
#include "tests/support/diverged_run.hpp"

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

TEST(Predictor, TheLossIsThatOfTrainingAndTheCrossEntropyThatWithoutLabelSmoothing) {
  Trial t;
  Edit edit;
  for (auto [id, node] : t.request.definition.doc.graph("").nodes)
    if (node.type == "CrossEntropy") {
      node.attrs["label_smoothing"] = 0.1;
      edit.push_back(PutNode{"", id, node});
    }
  ASSERT_TRUE(t.request.definition.doc.apply(edit));
  ASSERT_TRUE(t.run());
  auto p = Predictor::open(t.request.run, "latest");
  ASSERT_TRUE(p) << p.error().str();
  EXPECT_DOUBLE_EQ((*p)->label_smoothing(), 0.1);
  for (const char* split : {"test", "validation"}) {
    const auto e = (*p)->evaluate(split);
    ASSERT_TRUE(e) << e.error().str();
    const double told = split == std::string("test") ? t.sink.all<Ended>().front().test_loss
                                                     : t.sink.all<EpochEnd>().back().validation_loss;
    EXPECT_NEAR(e->loss, told, 1e-6 * told + 1e-7) << split;
    double plain = 0, smoothed = 0;
    for (std::size_t i = 0; i < e->sample.size(); ++i) {
      const std::span<const float> row(e->probability.data() + 10 * i, 10);
      const double one = -std::log(static_cast<double>(row[static_cast<std::size_t>(e->label[i])]));
      double all = 0;
      for (const float v : row) all -= std::log(static_cast<double>(v)) / 10;
      plain += one;
      smoothed += 0.9 * one + 0.1 * all;
    }
    const auto n = static_cast<double>(e->samples);
    EXPECT_NEAR(e->cross_entropy, plain / n, 1e-4);
    EXPECT_NEAR(e->loss, smoothed / n, 1e-4);
    EXPECT_GT(e->loss - e->cross_entropy, 0.01);
  }
}

TEST(Predictor, AnEvaluationOfADivergedTrainingIsSaidNotRefused) {
  Trial t(test::diverge_in_one_step);
  EXPECT_FALSE(t.run());
  auto p = Predictor::open(t.request.run, "latest");
  ASSERT_TRUE(p) << p.error().str();
  const auto e = (*p)->evaluate("test");
  ASSERT_TRUE(e) << e.error().str();
  EXPECT_EQ(e->not_finite, e->samples);
  EXPECT_EQ(e->accuracy, 0);
  EXPECT_FALSE(std::isfinite(e->loss));
  EXPECT_THAT(e->confusion, testing::Each(0));
  EXPECT_THAT(e->confidence, testing::Each(-1.0F));
  EXPECT_EQ(check_finite(*e).error().code, Errc::not_finite);
  EXPECT_THAT(check_finite(*e).error().str(), HasSubstr("for 64 of 64 images"));
  for (std::size_t i = 0; i < e->sample.size(); ++i) EXPECT_NE(e->label[i], e->predicted[i]);
  EXPECT_TRUE(std::isnan(metrics_of(*e).macro.roc_auc));
  EXPECT_TRUE(find_label_issues(*e, 100).empty());
  const auto data = (*p)->data();
  EXPECT_TRUE(html_report({&(*p)->definition(), "run", "latest", "test", "digits", &*e, (*data)->set_of("test")}));
  const SplitData d = data_of(**p);
  const auto one = (*p)->predict(pixels(d, 3), 1);
  ASSERT_TRUE(one);
  EXPECT_FALSE((*one)[0].finite);
  EXPECT_EQ((*p)->features("test", 50).error().code, Errc::not_finite);
  EXPECT_EQ((*p)->features_of(pixels(d, 3)).error().code, Errc::not_finite);
  EXPECT_EQ((*p)->explain(pixels(d, 3), {}).error().code, Errc::not_finite);
  const auto good = open()->evaluate("test");
  EXPECT_EQ(good->not_finite, 0);
  EXPECT_TRUE(check_finite(*good));
  EXPECT_DOUBLE_EQ(good->loss, good->cross_entropy);
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

TEST(Predictor, ANetworkTrainedInAFormatOfGpusPredictsHereInSinglePrecision) {
  const auto expected = open()->evaluate("test");
  ASSERT_TRUE(expected) << expected.error().str();
  for (const DType format : {DType::f16, DType::tf32}) {
    const Folder folder;
    const fs::path run = folder.path / "run";
    fs::copy(trained().request.run, run, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    auto definition = read_run_definition(run);
    ASSERT_TRUE(definition) << definition.error().str();
    TrainSettings s = definition->doc.settings();
    s.precision = format;
    ASSERT_TRUE(definition->doc.apply({PutSettings{s}}));
    ASSERT_TRUE(write_run_definition(run, *definition));
    for (const char* backend : {"cpu", "reference"}) {
      auto p = Predictor::open(run, "latest", backend);
      ASSERT_TRUE(p) << p.error().str();
      const auto e = (*p)->evaluate("test");
      ASSERT_TRUE(e) << e.error().str();
      EXPECT_DOUBLE_EQ(e->accuracy, expected->accuracy) << backend;
    }
  }
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
