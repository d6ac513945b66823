// SPDX-License-Identifier: Apache-2.0
// Weights of classes and the focal loss in whole runs: how they are counted, divided and reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "engine/design/target_weights.hpp"
#include "engine/predict/predictor.hpp"
#include "engine/train/knobs.hpp"
#include "tests/engine/train/trained_state.hpp"
#include "tests/support/net_text.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

/// A trial whose loss has these attributes, "NAME=VALUE".
struct LossTrial : Trial {
  explicit LossTrial(const std::vector<std::string>& loss, const Change& change = {}) : Trial(change) {
    for (const std::string& one : loss) {
      auto doc = with_setting(request.definition.doc, one);
      EXPECT_TRUE(doc) << doc.error().str();
      if (doc) request.definition.doc = *doc;
    }
  }
};

const std::vector<std::string> listed = {"class_weights=1, 2, 0.5, 3, 1, 0.25, 1, 4, 1, 2"};

std::string text_of(const std::vector<double>& weights) {
  std::string all;
  for (const double w : weights) all += fmt::format("{:.17g} ", w);
  return all;
}

Trial::Change parts(std::int64_t batch, std::int64_t accumulate, std::vector<std::string> devices = {"cpu"},
                    std::int64_t threads = 2) {
  return [=](TrainSettings& s, DataChoice&) {
    s.batch = batch;
    s.accumulate = accumulate;
    s.devices = devices;
    s.threads = threads;
  };
}

double largest_distance(const fs::path& a, const fs::path& b) {
  const auto one = tensors_of(a, "model.safetensors"), other = tensors_of(b, "model.safetensors");
  double most = 0;
  for (const auto& [name, values] : one)
    for (std::size_t i = 0; i < values.size(); ++i)
      most = std::max(most, std::abs(static_cast<double>(values[i]) - other.at(name)[i]));
  return most;
}

TEST(LossWeights, BalancedIsTheInverseOfTheClassesShareOfTheTrainingPart) {
  LossTrial balanced({"class_weights=balanced"});
  ASSERT_TRUE(balanced.run());
  const auto definition = read_run_definition(balanced.request.run);
  ASSERT_TRUE(definition);
  const std::vector<std::int64_t>& counts = definition->class_counts;
  ASSERT_EQ(counts.size(), 10U);
  const std::int64_t samples = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  EXPECT_EQ(samples, balanced.sink.all<Started>().front().train);
  EXPECT_NE(counts, std::vector<std::int64_t>(10, samples / 10)) << "equal classes would show nothing";
  std::vector<double> weights;
  for (const std::int64_t n : counts) weights.push_back(static_cast<double>(samples) / (10.0 * static_cast<double>(n)));
  LossTrial same({"class_weights=" + text_of(weights)}), plain({});
  ASSERT_TRUE(same.run());
  ASSERT_TRUE(plain.run());
  EXPECT_EQ(state_of(same.request.run), state_of(balanced.request.run));
  EXPECT_NE(state_of(plain.request.run), state_of(balanced.request.run));
}

TEST(LossWeights, WeightsOfTheScoresOfBinaryLosses) {
  const DataFacts two{.classes = 2, .train = 40, .class_counts = {30, 10}};
  EXPECT_EQ(positive_weights("balanced", two, 1), (std::vector<double>{3}));
  EXPECT_EQ(positive_weights("balanced", two, 2), (std::vector<double>{10.0 / 30, 3}));
  EXPECT_EQ(positive_weights("2.5", two, 1), (std::vector<double>{2.5}));
  EXPECT_TRUE(positive_weights("", two, 1).empty());
  EXPECT_TRUE(positive_weights("balanced", {}, 3).empty()) << "nothing was counted";
  const DataFacts missing{.classes = 3, .train = 40, .class_counts = {40, 0, 0}};
  EXPECT_EQ(positive_weights("balanced", missing, 3), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(class_weights("balanced", missing, 3), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(class_weights("balanced", two, 3), (std::vector<double>{40.0 / 60, 2, 1})) << "a score without a class";
}

TEST(LossWeights, AreReadAsAListOfNumbersWithinLimits) {
  EXPECT_EQ(*listed_weights(" 1,2.5\t0.5 "), (std::vector<double>{1, 2.5, 0.5}));
  EXPECT_TRUE(listed_weights("")->empty());
  EXPECT_TRUE(listed_weights("balanced")->empty());
  for (const char* wrong : {"0", "-1", "1, x", "nan", "inf", "1e7", "balanced 2", "1;2"})
    EXPECT_FALSE(listed_weights(wrong)) << wrong;
  EXPECT_TRUE(refuse_weights("1 2", 2).empty());
  EXPECT_THAT(refuse_weights("1 2", 3).str(), HasSubstr("Has 2 weights for 3 scores"));
}

TEST(LossWeights, OneOfEachScoreIsNeeded) {
  LossTrial t({"class_weights=1 2"});
  const auto result = t.run();
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().str(), HasSubstr("Has 2 weights for 10 scores"));
}

// The mean is over the weights of the update's samples, wherever and in how many parts they are computed.
TEST(LossWeights, PartsAndDevicesGiveTheStepsOfOneBatch) {
  std::vector<std::string> form = listed;
  form.push_back("focal_gamma=1.5");
  LossTrial whole(form, parts(32, 1)), twice(form, parts(16, 2)), devices(form, parts(32, 1, {"cpu:0", "cpu:1"}));
  for (Trial* t : {static_cast<Trial*>(&whole), static_cast<Trial*>(&twice), static_cast<Trial*>(&devices)})
    ASSERT_TRUE(t->run());
  EXPECT_LT(largest_distance(whole.request.run, twice.request.run), 2e-5);
  EXPECT_LT(largest_distance(whole.request.run, devices.request.run), 2e-5);
  const EpochEnd a = whole.sink.all<EpochEnd>().back(), b = twice.sink.all<EpochEnd>().back();
  EXPECT_NEAR(a.train_loss, b.train_loss, 1e-5);
  EXPECT_NEAR(a.validation_loss, b.validation_loss, 1e-5);
}

/// A network as text, what it learns, and whether its batches may be computed in parts: with batch norm they may not.
struct SharedNetwork {
  const char *set, *target, *network;
  bool in_parts = true;
};
const SharedNetwork shared_networks[] = {
    {"digits", "class",
     "images: Input 1x28x28; conv: Conv2d out_channels=4; bn: BatchNorm2d; relu: ReLU; inner: Conv2d out_channels=4 "
     "kernel_size=1x1; sum: Add <- inner, relu; pool: MaxPool2d; flatten: Flatten; fc: Linear out_features=10; loss: "
     "CrossEntropy",
     false},
    {"digits", "class",
     "images: Input 1x28x28; flatten: Flatten; fc1: Linear out_features=24; norm: LayerNorm; gelu: GELU; fc2: Linear "
     "out_features=10; loss: CrossEntropy"},
    {"digits", "odd",
     "images: Input 1x28x28; flatten: Flatten; fc1: Linear out_features=16; tanh: Tanh; fc2: Linear out_features=1; "
     "share: Sigmoid; loss: BCE"},
    {"shapes", "labels",
     "images: Input 3x32x32; conv: Conv2d out_channels=4; bn: BatchNorm2d; relu: ReLU; pool: MaxPool2d; flatten: "
     "Flatten; fc: Linear out_features=3; share: Sigmoid; loss: BCE",
     false},
    {"shapes", "labels",
     "images: Input 3x32x32; conv: Conv2d out_channels=4; relu: ReLU; pool: MaxPool2d; flatten: Flatten; fc: Linear "
     "out_features=3; loss: BCEWithLogits"},
    {"shapes", "values",
     "images: Input 3x32x32; conv: Conv2d out_channels=4; bn: BatchNorm2d; relu: ReLU; pool: MaxPool2d; flatten: "
     "Flatten; fc: Linear out_features=3; loss: MSE",
     false},
    {"shapes", "values",
     "images: Input 3x32x32; conv: Conv2d out_channels=4; tanh: Tanh; pool: GlobalAvgPool2d; flatten: Flatten; fc: "
     "Linear out_features=3; loss: MSE"}};

struct SharedTrial : Trial {
  SharedTrial(const SharedNetwork& which, const Change& change) : Trial(change) {
    GraphDoc doc = test::net(which.network);
    DataChoice d = request.definition.doc.data();
    d.synthetic_set = which.set;
    d.target = which.target;
    d.synthetic_train = 300;  // the last batch of 30 samples leaves one of three devices without any
    TrainSettings s = request.definition.doc.settings();
    s.optimizer.choose("sgd");
    EXPECT_TRUE(doc.apply({PutSettings{s}, PutData{d}}));
    request.definition.doc = doc;
  }
};

/// The largest distance between weights of a run as a whole and of one that is divided in this way.
double distance_when(const SharedNetwork& which, const fs::path& whole, const Trial::Change& way) {
  SharedTrial t(which, way);
  const auto done = t.run();
  EXPECT_TRUE(done) << done.error().str();
  return done ? largest_distance(whole, t.request.run) : 1;
}

// The sums of devices and parts are added in another order than those of one batch, and in no other respect.
TEST(LossWeights, DevicesAndPartsGiveTheWeightsOfOneBatchForEveryLoss) {
  std::set<std::string> losses;
  for (const SharedNetwork& which : shared_networks) {
    SharedTrial whole(which, parts(48, 1));
    ASSERT_TRUE(whole.run()) << which.network;
    const fs::path run = whole.request.run;
    double most = 0;
    most = std::max(most, distance_when(which, run, parts(48, 1, {"cpu:0", "cpu:1"})));
    most = std::max(most, distance_when(which, run, parts(48, 1, {"cpu:0", "cpu:1", "cpu:2"}, 3)));
    if (which.in_parts) {
      most = std::max(most, distance_when(which, run, parts(24, 2)));
      most = std::max(most, distance_when(which, run, parts(16, 3)));
      most = std::max(most, distance_when(which, run, parts(24, 2, {"cpu:0", "cpu:1"})));
    }
    EXPECT_LT(most, 1e-6) << which.network;
    EXPECT_GT(distance_when(which, run, parts(24, 1)), 1e-3) << "batches of half the size would not be noticed";
    std::printf("%.1e %s\n", most, which.network);
    losses.insert(std::string(which.network).substr(std::string(which.network).rfind(' ') + 1));
  }
  for (const LayerType* type : all_layers())
    if (type->loss) EXPECT_TRUE(losses.contains(std::string(type->name))) << type->name << " is trained by no network";
}

// Two ways to the same number: the devices' sums during training, and the predictions of the finished network.
TEST(LossWeights, TheReportedValidationLossIsThatOfAnEvaluation) {
  for (const auto& form :
       {listed, std::vector<std::string>{"focal_gamma=2"}, {"class_weights=balanced", "label_smoothing=0.1"}}) {
    LossTrial t(form);
    ASSERT_TRUE(t.run());
    const auto predictor = Predictor::open(t.request.run, "latest");
    ASSERT_TRUE(predictor) << predictor.error().str();
    const auto e = (*predictor)->evaluate("validation");
    ASSERT_TRUE(e) << e.error().str();
    EXPECT_NEAR(e->loss, t.sink.all<EpochEnd>().back().validation_loss, 2e-6) << form.front();
    EXPECT_GT(std::abs(e->cross_entropy - e->loss), 1e-4) << form.front();
  }
}

// One batch of all images, with a learning rate of nearly 0: also in two parts.
TEST(LossWeights, TheReportedTrainingLossIsThatOfAnEvaluation) {
  for (const std::int64_t accumulate : {1, 2}) {
    LossTrial t(listed, [&](TrainSettings& s, DataChoice&) {
      s.epochs = 1;
      s.learning_rate = 1e-30;
      s.batch = 288 / accumulate;
      s.accumulate = accumulate;
    });
    ASSERT_TRUE(t.run());
    ASSERT_EQ(t.sink.all<EpochEnd>().back().step, 1);
    const auto predictor = Predictor::open(t.request.run, "latest");
    ASSERT_TRUE(predictor) << predictor.error().str();
    const auto e = (*predictor)->evaluate("train");
    ASSERT_TRUE(e) << e.error().str();
    EXPECT_NEAR(e->loss, t.sink.all<EpochEnd>().back().train_loss, 2e-6) << accumulate;
  }
}

TEST(LossWeights, FieldsOfTheLossAreSettings) {
  const GraphDoc doc = Trial::project({}, "mlp");
  EXPECT_THAT(with_setting(doc, "class_weights=1 x").error().str(), HasSubstr("\"x\" is no weight"));
  EXPECT_THAT(with_setting(doc, "focal_gamma=11").error().str(), HasSubstr("between 0 and 10"));
  EXPECT_THAT(with_setting(doc, "focal_gamma=much").error().str(), HasSubstr("between 0 and 10"));
  EXPECT_THAT(with_setting(doc, "pos_weight=balanced").error().str(), HasSubstr("no training setting"));
  EXPECT_TRUE(with_setting(doc, "class_weights=7")) << "a list of one number";
}

}  // namespace
}  // namespace nw
