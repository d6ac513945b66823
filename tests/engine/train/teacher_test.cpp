// SPDX-License-Identifier: Apache-2.0
// Training towards another network's answers.
#include "engine/train/teacher.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "engine/runs/teacher_choice.hpp"
#include "engine/train/checkpoint.hpp"
#include "engine/train/replicas.hpp"
#include "tests/engine/train/trained_state.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

TEST(TeachersAnswers, AreASoftmaxAtTheTemperatureMixedWithTheLabels) {
  std::vector<float> targets{0, 1, 0, 1, 0, 0};
  mix_answers({.temperature = 2, .weight = 0.75}, {1, 3, -1, 200, 100, -400}, 3, targets);
  const double a = std::exp(0.5), b = std::exp(1.5), c = std::exp(-0.5), sum = a + b + c;
  const std::vector<double> wanted{0.75 * a / sum, 0.75 * b / sum + 0.25, 0.75 * c / sum, 1, 0, 0};
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(targets[i], wanted[i], 1e-6) << i;
}

/// A perceptron for synthetic digits whose teacher is `teacher`'s best checkpoint.
Trial::Change small(std::int64_t epochs = 2) {
  return [=](TrainSettings& s, DataChoice&) {
    s.epochs = epochs;
    s.threads = 1;
    s.learning_rate = 0.05;
  };
}
class Distilled : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    teacher = std::make_unique<Trial>([](TrainSettings& s, DataChoice& d) {
      small(4)(s, d);
      s.horizontal_flip = s.random_crop = false;
    });
    ASSERT_TRUE(teacher->run());
  }
  static void TearDownTestSuite() { teacher.reset(); }
  Distillation from(double temperature = 4, double weight = 1) {
    auto d = teacher_of(teacher->request.run);
    EXPECT_TRUE(d) << d.error().str();
    d->temperature = temperature;
    d->weight = weight;
    return *d;
  }
  static GraphDoc taught(GraphDoc doc, const Distillation& d) {
    EXPECT_TRUE(doc.apply(distil(d)));
    return doc;
  }
  static inline std::unique_ptr<Trial> teacher;
};

TEST_F(Distilled, AProjectKeepsItsTeacherAndRefusesWhatIsNone) {
  GraphDoc doc = Trial::project(small(), "mlp");
  EXPECT_FALSE(*distillation(doc));
  const Distillation d = from(3, 0.5);
  const auto read = ProjectFile::from_json(ProjectFile::json(taught(doc, d)), "project");
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_EQ(**distillation(*read), d);
  const auto refused = [&](const Json& j) {
    GraphDoc changed = doc;
    EXPECT_TRUE(changed.apply({PutExtra{"distillation", j}}));
    return !distillation(changed);
  };
  const Json good = ProjectFile::json(taught(doc, d)).at("distillation");
  EXPECT_FALSE(refused(good));
  EXPECT_TRUE(refused("teacher"));
  for (const auto& [key, value] : std::vector<std::pair<const char*, Json>>{
           {"run", ""}, {"run", 3}, {"temperature", 0}, {"temperature", 1e9}, {"weight", 0}, {"weight", 1.5}}) {
    Json wrong = good;
    wrong[key] = value;
    EXPECT_TRUE(refused(wrong)) << key << value;
  }
}

/// The weights' gradients after the step of a batch whose targets are `targets`, at rate 0.
std::map<std::string, std::vector<float>> gradients(const GraphDoc& doc, const TrainingData& data,
                                                    const BatchSamples& batch, const Replicas::Copy* weights) {
  auto devices = resolve_devices({"cpu"}, 1);
  auto replicas = Replicas::make(doc, data.facts, *devices);
  EXPECT_TRUE(replicas) << replicas.error().str();
  EXPECT_TRUE((*replicas)->start_weights(doc.settings().seed));
  if (weights) (*replicas)->put(*weights);
  EXPECT_TRUE((*replicas)->train(batch, {}));
  std::map<std::string, std::vector<float>> all;
  const Plan& plan = (*replicas)->plan();
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    if (v.role != Role::weight_grad) continue;
    std::vector<float>& to = all[v.name];
    to.resize(static_cast<std::size_t>(v.shape.elements()));
    (*replicas)->first().step.read(static_cast<int>(i), std::as_writable_bytes(std::span(to)));
  }
  return all;
}

class TaughtBatch : public Distilled {
 protected:
  void SetUp() override {
    auto definition = read_run_definition(teacher->request.run);
    ASSERT_TRUE(definition);
    auto opened = open_training_data(*definition, true, true);
    ASSERT_TRUE(opened);
    data = std::move(*opened);
  }
  /// The first batch with one-hot targets.
  BatchSamples first(std::int64_t width = 10) const {
    Batches all({.maker = &*data.train, .shuffle = true, .batch = 32, .capacity = 32, .target_width = width}, 0, 0, 1);
    return *all.next();
  }
  std::unique_ptr<Teacher> open(const Distillation& d, std::int64_t batch = 32) const {
    auto devices = resolve_devices({"cpu"}, 1);
    auto made = Teacher::open(d, data, devices->front(), batch);
    EXPECT_TRUE(made) << made.error().str();
    return std::move(*made);
  }
  TrainingData data;
};

TEST_F(TaughtBatch, ANetworkThatAnswersAsItsTeacherHasNothingToLearn) {
  BatchSamples batch = first();
  ASSERT_TRUE(open(from(4, 1))->teach(batch, 1));
  auto devices = resolve_devices({"cpu"}, 1);
  const GraphDoc doc = taught(teacher->request.definition.doc, from(4, 1));
  auto same = Replicas::make(doc, data.facts, *devices);
  ASSERT_TRUE(same);
  const auto opened = open_checkpoint(teacher->request.run, from().checkpoint);
  ASSERT_TRUE(opened);
  ASSERT_TRUE((*same)->take_weights(opened->model));
  const Replicas::Copy weights = (*same)->copy();
  const auto at_rest = gradients(doc, data, batch, &weights), at_start = gradients(doc, data, batch, nullptr);
  const auto largest = [](const auto& all) {
    float most = 0;
    for (const auto& [name, values] : all)
      for (const float v : values) most = std::max(most, std::abs(v));
    return most;
  };
  EXPECT_GT(largest(at_start), 1e-3F);
  EXPECT_LT(largest(at_rest), 1e-5F * std::max(1.0F, largest(at_start)) + 1e-6F);
}

TEST_F(TaughtBatch, TheGradientIsThatOfTheCrossEntropyOfCooledScoresTimesTheSquareOfTheTemperature) {
  // At the last layer's bias: T × mean of (softmax(z / T) − target).
  constexpr double t = 3;
  const Distillation d = from(t, 0.6);
  BatchSamples batch = first();
  ASSERT_TRUE(open(d)->teach(batch, 1));
  const GraphDoc doc = taught(teacher->request.definition.doc, d);
  auto devices = resolve_devices({"cpu"}, 1);
  auto network = Replicas::make(doc, data.facts, *devices);
  ASSERT_TRUE(network);
  ASSERT_TRUE((*network)->start_weights(doc.settings().seed));
  const auto scores = (*network)->scores(batch);
  ASSERT_TRUE(scores);
  std::vector<double> wanted(10, 0);
  for (std::size_t n = 0; n < 32; ++n) {
    double sum = 0;
    for (std::size_t k = 0; k < 10; ++k) sum += std::exp(static_cast<double>((*scores)[n * 10 + k]) / t);
    for (std::size_t k = 0; k < 10; ++k)
      wanted[k] += t *
                   (std::exp(static_cast<double>((*scores)[n * 10 + k]) / t) / sum -
                    static_cast<double>(batch.targets[n * 10 + k])) /
                   32;
  }
  const auto all = gradients(doc, data, batch, nullptr);
  const auto bias = std::find_if(all.begin(), all.end(), [](const auto& g) { return g.second.size() == 10; });
  ASSERT_NE(bias, all.end());
  for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(bias->second[k], wanted[k], 1e-5) << k;
}

TEST_F(TaughtBatch, TheTeacherSeesTheBatchInPartsInItsOwnNormalization) {
  BatchSamples whole = first(), parts = first();
  ASSERT_TRUE(open(from())->teach(whole, 1));
  ASSERT_TRUE(open(from(), 12)->teach(parts, 1));
  EXPECT_EQ(whole.targets, parts.targets);
  // A student that normalizes otherwise gets the same answers.
  TrainingData other = std::move(data);
  other.train.emplace(other.train->normalized_by({{0.3F}, {2.0F}}));
  data = std::move(other);
  BatchSamples shifted = first();
  ASSERT_TRUE(open(from())->teach(shifted, 1));
  EXPECT_EQ(whole.targets, shifted.targets);
}

TEST_F(TaughtBatch, ATeacherOfOtherImagesOrClassesIsRefused) {
  auto devices = resolve_devices({"cpu"}, 1);
  const auto message = [&](const char* what) {
    const auto made = Teacher::open(from(), data, devices->front(), 32);
    return made ? std::string(what) + " was taken" : made.error().str();
  };
  data.facts.classes = 11;
  EXPECT_THAT(message("eleven classes"), HasSubstr("has 10 classes, the data has 11"));
  data.facts.height = 27;
  EXPECT_THAT(message("other images"), HasSubstr("takes images of 1×28×28, the data has 1×27×28"));
}

TEST_F(Distilled, ARunLearnsItsTeachersAnswersAndResumesToTheSameBytes) {
  const auto student = [&](std::int64_t stop_after) {
    auto trial = std::make_unique<Trial>(everything(1, 3));
    trial->request.definition.doc = taught(trial->request.definition.doc, from(4, 0.9));
    trial->request.stop_after = stop_after;
    EXPECT_TRUE(trial->run());
    return trial;
  };
  const auto whole = student(0), halted = student(1);
  EXPECT_NE(state_of(whole->request.run), state_of(halted->request.run));
  Recording events;
  ASSERT_TRUE(halted->resume(events));
  EXPECT_EQ(state_of(whole->request.run), state_of(halted->request.run));
  Trial beginner(small(1));
  ASSERT_TRUE(beginner.run());
  Trial other(everything(1, 3));
  other.request.definition.doc = taught(other.request.definition.doc, *teacher_of(beginner.request.run));
  ASSERT_TRUE(other.run());
  EXPECT_NE(state_of(whole->request.run), state_of(other.request.run)) << "of another teacher it learns something else";
}

TEST_F(Distilled, ATeacherThatChangedOrDoesNotFitIsNamed) {
  const auto message = [&](const Distillation& d, const std::string& network, const Trial::Change& change) {
    Trial trial(change, network);
    trial.request.definition.doc = taught(trial.request.definition.doc, d);
    const auto result = trial.run();
    return result ? std::string("trained") : result.error().str();
  };
  Distillation changed = from();
  changed.sha256 = std::string(64, '0');
  EXPECT_THAT(message(changed, "mlp", small()), HasSubstr("are not those that this training was started with"));
  Distillation gone = from();
  gone.run += "-gone";
  EXPECT_THAT(message(gone, "mlp", small()), HasSubstr("-gone"));
  EXPECT_THAT(message(from(), "mlp-binary", small()), HasSubstr("learned with CrossEntropy"));
}

}  // namespace
}  // namespace nw
