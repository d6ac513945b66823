// SPDX-License-Identifier: Apache-2.0
// Training runs with multi-label targets, numeric targets, or classes of mixed samples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/compile/compile.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/data/dataset.hpp"
#include "engine/predict/predictor.hpp"
#include "engine/train/checkpoint.hpp"
#include "engine/train/loss_history.hpp"
#include "tests/engine/train/shapes.hpp"
#include "tests/support/net_text.hpp"

namespace nw {
namespace {
using testing::HasSubstr;

void mixed(TrainSettings& s, DataChoice&) { s.transforms = {{"MixUp", {0.7, 0.4}}, {"CutMix", {0.7, 1}}}; }

TEST(TrainingTargets, LabelsAreLearnedAndAllOfThemMustBeRight) {
  ShapesTrial t("labels", "BCEWithLogits", [](TrainSettings& s, DataChoice&) { s.epochs = 6; });
  const auto result = t.run();
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(t.sink.all<Started>().front().metric, Metric::all_labels);
  EXPECT_GT(t.sink.all<Ended>().front().test_accuracy, 0.6) << "an eighth would be right by chance";
  EXPECT_EQ(summarize_run(t.request.run)->metric, Metric::all_labels);
  EXPECT_THAT(read_run_definition(t.request.run)->classes, testing::ElementsAre("circle", "square", "triangle"));
}

TEST(TrainingTargets, RegressionIsMeasuredByExplainedVariance) {
  ShapesTrial t("values", "MSE");
  const auto result = t.run();
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(t.sink.all<Started>().front().metric, Metric::r2);
  const Ended ended = t.sink.all<Ended>().front();
  EXPECT_GT(ended.test_accuracy, 0.5);
  // R² recomputed: the variance of the test set follows from its targets.
  const auto data = open_data(t.request.definition.doc.data(), {}, false);
  double variance = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    double mean = 0, squares = 0;
    for (std::int64_t i = 0; i < 100; ++i) mean += static_cast<double>(data->test->targets(i)[k]) / 100;
    for (std::int64_t i = 0; i < 100; ++i)
      squares += std::pow(static_cast<double>(data->test->targets(i)[k]) - mean, 2) / 100;
    variance += squares / 3;
  }
  EXPECT_NEAR(ended.test_accuracy, 1 - ended.test_loss / variance, 1e-6);
  EXPECT_TRUE(t.sink.all<EpochEnd>().back().best || t.sink.all<EpochEnd>().size() > 1);
}

TEST(TrainingTargets, UntrainedNetworkExplainsLessThanTheMean) {
  ShapesTrial t("values", "MSE", [](TrainSettings& s, DataChoice&) {
    s.learning_rate = 0;
    s.epochs = 2;
  });
  ASSERT_TRUE(t.run());
  const EpochEnd first = t.sink.all<EpochEnd>().front();
  EXPECT_LT(first.validation_accuracy, 0);
  EXPECT_TRUE(first.best) << "the first epoch is the best so far, however bad";
  EXPECT_FALSE(t.sink.all<EpochEnd>().back().best);
  const RunSummary s = *summarize_run(t.request.run);
  EXPECT_EQ(s.best_accuracy, first.validation_accuracy);
  EXPECT_EQ(s.test_accuracy, t.sink.all<Ended>().front().test_accuracy);
}

// A table of 4×4 images with numbers to learn; the second is 0.1 in every row, the first too if `constant`.
struct TableTrial : Trial {
  explicit TableTrial(bool constant = false) {
    std::string table = "a,b,c";
    for (int p = 0; p < 16; ++p) table += fmt::format(",p{}", p);
    std::uint32_t random = 7;
    const auto next = [&] { return (random = random * 1664525u + 1013904223u) >> 24; };
    for (int i = 0; i < 200; ++i) {
      table += constant ? "\n0.1,0.1,0.1" : fmt::format("\n{},0.1,{}", next() / 10.0, next() / 100.0);
      for (int p = 0; p < 16; ++p) table += fmt::format(",{}", next());
    }
    const fs::path file = folder.path / "table.csv";
    EXPECT_TRUE(save_file(file, table + "\n"));
    GraphDoc doc = test::net("images: Input 1x4x4; f: Flatten; fc: Linear out_features=3; loss: MSE");
    TrainSettings s = doc.settings();
    s.epochs = 1;
    s.batch = 16;
    s.learning_rate = 0.001;
    DataChoice d{.kind = SourceKind::csv,
                 .path = file.string(),
                 .channels = 1,
                 .height = 4,
                 .width = 4,
                 .target_column = "a,b,c",
                 .target = "values"};
    EXPECT_TRUE(doc.apply({PutSettings{s}, PutData{d}}));
    request.definition.doc = doc;
  }
};

TEST(TrainingTargets, TargetsThatAreAllTheSameCountNeitherInTheRunNorInItsEvaluation) {
  TableTrial t;
  const auto result = t.run();
  ASSERT_TRUE(result) << result.error().str();
  const Ended ended = t.sink.all<Ended>().front();
  const auto e = (*Predictor::open(t.request.run, "latest"))->evaluate("test");
  ASSERT_TRUE(e) << e.error().str();
  EXPECT_NEAR(e->accuracy, ended.test_accuracy, 1e-5);
  double errors = 0, spread = 0;
  for (const std::size_t k : {0u, 2u}) {
    double mean = 0;
    for (std::size_t i = k; i < e->targets.size(); i += 3) mean += static_cast<double>(e->targets[i]);
    mean /= static_cast<double>(e->samples);
    for (std::size_t i = k; i < e->targets.size(); i += 3) {
      errors += std::pow(static_cast<double>(e->targets[i] - e->probability[i]), 2);
      spread += std::pow(static_cast<double>(e->targets[i]) - mean, 2);
    }
  }
  EXPECT_NEAR(ended.test_accuracy, 1 - errors / spread, 1e-5);
}

TEST(TrainingTargets, RSquaredOfConstantTargetsIsUndefinedAndTheLossDecidesWhichEpochIsBest) {
  TableTrial t(true);
  const auto result = t.run();
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_TRUE(std::isnan(t.sink.all<Ended>().front().test_accuracy));
  EXPECT_TRUE(std::isnan(t.sink.all<EpochEnd>().front().validation_accuracy));
  EXPECT_TRUE(t.sink.all<EpochEnd>().front().best);
  EXPECT_TRUE(std::isnan(summarize_run(t.request.run)->test_accuracy));
  EXPECT_TRUE(best_checkpoint(t.request.run));
  EXPECT_TRUE(open_checkpoint(t.request.run, latest_checkpoint(t.request.run)->name))
      << "the state of a run without R² is readable";
}

TEST(TrainingTargets, ClassesOfMixedSamplesAreLearnedWhileWhatMeasuresStaysPlain) {
  ShapesTrial t("class", "CrossEntropy", [](TrainSettings& s, DataChoice& d) {
    mixed(s, d);
    s.epochs = 8;
  });
  const auto result = t.run();
  ASSERT_TRUE(result) << result.error().str();
  const EpochEnd last = t.sink.all<EpochEnd>().back();
  EXPECT_GT(last.validation_accuracy, 0.8);
  EXPECT_GT(last.train_loss, 1.2 * last.validation_loss) << "mixed samples are never certain";
  EXPECT_EQ(t.sink.all<Started>().front().metric, Metric::accuracy);
}

TEST(TrainingTargets, MixedSamplesGiveTwoDevicesTheLossesOfOne) {
  const auto losses = [](std::vector<std::string> devices) {
    ShapesTrial t("class", "CrossEntropy", [&](TrainSettings& s, DataChoice& d) {
      mixed(s, d);
      s.devices = std::move(devices);
      s.epochs = 1;
    });
    EXPECT_TRUE(t.run());
    return read_loss_history(t.request.run)->loss;
  };
  const auto one = losses({"cpu"}), two = losses({"cpu:0", "cpu:1"});
  ASSERT_FALSE(one.empty());
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(two[i], one[i], 1e-5 * std::abs(one[i])) << "step " << i + 1;
}

TEST(TrainingTargets, TheReferenceAgreesOnLabelsNumbersAndMixedSamples) {
  for (const auto& [target, loss] :
       {std::pair{"labels", "BCEWithLogits"}, {"values", "MSE"}, {"class", "CrossEntropy"}}) {
    const auto first = [&, target = target, loss = loss](const char* backend) {
      ShapesTrial t(target, loss, [&](TrainSettings& s, DataChoice& d) {
        mixed(s, d);
        d.synthetic_train = d.synthetic_test = 20;
        s.batch = 5;
        s.epochs = 1;
      });
      t.request.backend = backend;
      EXPECT_TRUE(t.run());
      return read_loss_history(t.request.run)->loss;
    };
    const auto reference = first("reference"), cpu = first("cpu");
    ASSERT_GE(reference.size(), 3U);
    for (std::size_t i = 0; i < reference.size(); ++i)
      EXPECT_NEAR(cpu[i], reference[i], 1e-4 * std::abs(reference[i])) << target << ", step " << i + 1;
  }
}

// ---- problems that the check reports before training
Analysis looked_at(const char* target, const char* loss, std::int64_t outputs = 3) {
  Target t;
  t.data = {.channels = 3,
            .height = 32,
            .width = 32,
            .classes = outputs,
            .targets = std::string_view(target) == "labels" ? TargetKind::labels : TargetKind::values};
  return analyse(shapes_project(target, loss), t);
}
std::vector<std::string> errors(const Analysis& a) {
  std::vector<std::string> all;
  for (const Problem& p : a.problems)
    if (p.severity == Severity::error) all.push_back(p.what.str());
  return all;
}

TEST(TrainingTargets, ALossForClassesIsRejectedWithTheOneThatFits) {
  const Analysis labels = looked_at("labels", "CrossEntropy"), values = looked_at("values", "BCEWithLogits");
  EXPECT_THAT(errors(labels), testing::ElementsAre(HasSubstr("the data set is multi-label")));
  EXPECT_THAT(errors(values), testing::ElementsAre(HasSubstr("the data set has numbers")));
  GraphDoc doc = shapes_project("labels", "CrossEntropy");
  const auto problem = std::find_if(labels.problems.begin(), labels.problems.end(),
                                    [](const Problem& p) { return p.severity == Severity::error; });
  ASSERT_EQ(problem->fixes.size(), 1U);
  EXPECT_EQ(problem->fixes[0].label.str(), "Use BCEWithLogits");
  ASSERT_TRUE(doc.apply(problem->fixes[0].edit));
  Target t;
  t.data = {.channels = 3, .height = 32, .width = 32, .classes = 3, .targets = TargetKind::labels};
  EXPECT_THAT(errors(analyse(doc, t)), testing::IsEmpty());
}

TEST(TrainingTargets, OutputsMustBeAsManyAsLabelsOrNumbers) {
  const Analysis a = looked_at("values", "MSE", 5);
  EXPECT_THAT(errors(a), testing::ElementsAre(HasSubstr("5 numbers for each image, the network outputs 3")));
  EXPECT_THAT(errors(looked_at("labels", "BCEWithLogits", 2)),
              testing::ElementsAre(HasSubstr("2 labels, the network outputs 3 scores")));
  EXPECT_THAT(errors(looked_at("labels", "BCEWithLogits")), testing::IsEmpty());
}

}  // namespace
}  // namespace nw
