// SPDX-License-Identifier: Apache-2.0
// Explanations compared with PyTorch's values (tests/reference/make/make_explain_reference.py), and their
// mathematical properties.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <numeric>

#include "engine/compile/gradients.hpp"
#include "engine/predict/explainer.hpp"
#include "tests/engine/predict/trained.hpp"
#include "tests/support/net_text.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/torch_numbers.hpp"

namespace nw {
namespace {

using predicting::Explainer;
using predicting::Forward;
using test::unit;
using testing::HasSubstr;

constexpr std::int64_t side = 13;

RunDefinition small_run() {
  RunDefinition d;
  d.name = "small";
  d.doc = test::net(
      "images: Input 3x13x13; conv1: Conv2d out_channels=8 padding=1; norm: BatchNorm2d; relu1: ReLU; pool: MaxPool2d; "
      "conv2: Conv2d out_channels=12 padding=1; "
      "gelu: GELU; skip: Conv2d out_channels=12 kernel_size=1 <- pool; sum: Add <- gelu, skip; relu2: ReLU; drop: "
      "Dropout p=0.5; gap: GlobalAvgPool2d; flat: Flatten; "
      "fc: Linear out_features=5; loss: CrossEntropy");
  d.classes = {"a", "b", "c", "d", "e"};
  d.channels = 3;
  d.height = d.width = side;
  d.mean = {0.4f, 0.5f, 0.6f};
  d.deviation = {0.2f, 0.25f, 0.3f};
  return d;
}

/// Weights as in make_reference.py's fill(), running statistics as in make_explain_reference.py.
std::vector<float> numbers_for(const Value& v) {
  std::vector<float> all;
  const bool norm = v.name.starts_with("norm.");
  const double fan_in = static_cast<double>(v.shape.per_sample());
  for (std::int64_t i = 0; i < v.shape.elements(); ++i) {
    const double u = unit(test::fnv(v.name), i), centred = 2 * u - 1;
    double x = centred / 10;
    if (v.shape.rank() >= 2)
      x = centred / std::sqrt(fan_in);
    else if (v.name == "norm.weight")
      x = (5 + centred) / 20;
    else if (v.name == "norm.running_mean")
      x = centred / 2;
    else if (v.name == "norm.running_var")
      x = 0.5 + u;
    else if (norm)
      x = 1 + centred / 10;
    all.push_back(static_cast<float>(x));
  }
  return all;
}

template <class T>
T must(Result<T> r) {
  if (!r) throw std::runtime_error(r.error().str());
  return std::move(*r);
}

struct Small {
  explicit Small(const std::string& backend)
      : definition(small_run()),
        forward(must(Forward::make(definition, backend))),
        explainer(must(Explainer::make(definition, forward))) {
    for (std::size_t v = 0; v < forward.compiled.plan.values.size(); ++v) {
      const Value& value = forward.compiled.plan.values[v];
      if ((value.role != Role::weight && value.role != Role::buffer) || value.dtype != DType::f32) continue;
      const std::vector<float> numbers = numbers_for(value);
      forward.executable->write(static_cast<int>(v), std::as_bytes(std::span(numbers)));
    }
    for (std::int64_t p = 0; p < side * side; ++p)
      for (std::int64_t c = 0; c < 3; ++c) {
        const double pixel = std::floor(unit(test::fnv("image"), c * side * side + p) * 256) / 255;
        image.push_back((static_cast<float>(pixel) - definition.mean[static_cast<std::size_t>(c)]) /
                        definition.deviation[static_cast<std::size_t>(c)]);
      }
    EXPECT_TRUE(forward.run(image, 1, scores));
  }
  Result<Explanation> ask(const ExplainOptions& q) { return explainer.explain(image, scores, q); }

  RunDefinition definition;
  Forward forward;
  Explainer explainer;
  std::vector<float> image, scores;
};

void expect_map(const Explanation& e, const std::vector<double>& want, const std::string& where) {
  ASSERT_EQ(e.weight.size(), want.size()) << where;
  double largest = 0;
  for (const double w : want) largest = std::max(largest, std::abs(w));
  for (std::size_t i = 0; i < want.size(); ++i)
    EXPECT_NEAR(e.weight[i], want[i], 2e-4 * largest) << where << ", pixel " << i;
}

class Explains : public testing::TestWithParam<std::string> {};

TEST_P(Explains, AsPyTorchDoes) {
  std::ifstream in(test::tests_folder() + "/reference/explain.json");
  const Json want = Json::parse(in);
  Small s(GetParam());
  for (std::size_t i = 0; i < s.scores.size(); ++i) EXPECT_NEAR(s.scores[i], want["scores"][i].get<double>(), 1e-5);
  for (const char* name : {"grad-cam", "grad-cam++", "saliency", "integrated-gradients", "occlusion"}) {
    const bool cam = std::string_view(name).starts_with("grad");
    for (const std::string layer : {"sum", "relu2"}) {
      if (!cam && layer == "sum") continue;
      const auto e = s.ask({.method = *explain_method(name),
                            .target = want["target"],
                            .layer = cam ? layer : "",
                            .steps = 64,
                            .patch = 4});
      ASSERT_TRUE(e) << e.error().str();
      expect_map(*e, want[cam ? std::string(name) + " " + layer : name], std::string(name) + " " + layer);
      EXPECT_NEAR(e->score, want["scores"][want["target"].get<std::size_t>()].get<double>(), 1e-5);
    }
  }
}

TEST_P(Explains, WithoutALayerTheLastFeatureMapsAreExplained) {
  Small s(GetParam());
  const auto last = s.ask({.target = 2}), named = s.ask({.target = 2, .layer = "drop"});
  ASSERT_TRUE(last);
  ASSERT_TRUE(named);
  EXPECT_EQ(last->layer, "drop");
  EXPECT_EQ(last->weight, named->weight);
}

INSTANTIATE_TEST_SUITE_P(Backends, Explains, testing::Values("cpu", "reference"));

TEST(Explanations, GradientsFollowThePixels) {
  const auto p = Predictor::open(trained().request.run, "latest");
  ASSERT_TRUE(p) << p.error().str();
  const auto hwc = pixels(data_of(**p), 5);
  const auto all =
      (*p)->explain(hwc, {.method = ExplainMethod::integrated_gradients, .target = -1, .layer = {}, .steps = 256});
  ASSERT_TRUE(all) << all.error().str();
  std::vector<std::uint8_t> black(hwc.size(), 0);
  const auto nothing = (*p)->explain(black, {.method = ExplainMethod::saliency, .target = all->target, .layer = {}});
  ASSERT_TRUE(nothing);
  const double sum = std::accumulate(all->weight.begin(), all->weight.end(), 0.0);
  EXPECT_NEAR(sum, all->score - nothing->score, 0.02 * std::abs(all->score - nothing->score))
      << "they add up to what the image changes";
  EXPECT_EQ(all->target, (*(*p)->predict(hwc, 1))[0].predicted);
}

TEST(Explanations, OneScoreExplainsBothClasses) {
  Trial odd(
      [](TrainSettings& s, DataChoice& d) {
        d.target = "odd";
        d.synthetic_train = 300;
        s.epochs = 1;
      },
      "mlp-binary");
  ASSERT_TRUE(odd.run());
  const auto p = Predictor::open(odd.request.run, "latest");
  ASSERT_TRUE(p) << p.error().str();
  const auto hwc = pixels(data_of(**p), 1);
  const auto yes = (*p)->explain(hwc, {.method = ExplainMethod::integrated_gradients, .target = 1, .layer = {}});
  const auto no = (*p)->explain(hwc, {.method = ExplainMethod::integrated_gradients, .target = 0, .layer = {}});
  ASSERT_TRUE(yes) << yes.error().str();
  ASSERT_TRUE(no);
  EXPECT_DOUBLE_EQ(yes->score, -no->score);
  for (std::size_t i = 0; i < yes->weight.size(); ++i) EXPECT_FLOAT_EQ(yes->weight[i], -no->weight[i]);
}

TEST(Explanations, ReportWhatCannotBeExplained) {
  Small s("cpu");
  EXPECT_THAT(s.ask({.target = 5}).error().str(), HasSubstr("no class 5"));
  EXPECT_THAT(s.ask({.target = 0, .layer = "fc"}).error().str(), HasSubstr("fc has no feature maps"));
  EXPECT_THAT(
      s.ask({.method = ExplainMethod::occlusion, .target = 0, .layer = {}, .steps = 64, .patch = 14}).error().str(),
      HasSubstr("14 pixels"));
  EXPECT_THAT(
      s.ask({.method = ExplainMethod::integrated_gradients, .target = 0, .layer = {}, .steps = 0}).error().str(),
      HasSubstr("1 to 4096"));
  EXPECT_THAT(explain_method("magic").error().str(), HasSubstr("\"magic\""));
}

TEST(GradientPlan, EveryTemplateHasOneOnBothBackends) {
  for (const Template& t : all_templates())
    for (const Backend* backend : {&cpu_backend(), &reference_backend()}) {
      const auto device = backend->devices().front();
      const auto compiled = compile_gradients(t.make(), {.batch = 2, .device = device.get()});
      ASSERT_TRUE(compiled) << t.name << ": " << compiled.error().str();
      const Plan& plan = compiled->plan;
      EXPECT_GE(plan.find("seed"), 0) << t.name;
      EXPECT_GE(plan.find("grad images"), 0) << t.name;
      for (const Value& v : plan.values) EXPECT_NE(v.role, Role::weight_grad) << t.name << ": " << v.name;
      for (const Step& step : plan.steps) EXPECT_LE(step.phase, Phase::backward) << t.name;
    }
}

}  // namespace
}  // namespace nw
