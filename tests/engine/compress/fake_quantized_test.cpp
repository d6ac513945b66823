// SPDX-License-Identifier: Apache-2.0
// Networks that round in fp32 as their 8-bit networks do, beside those; and training straight through the rounding.
#include <gmock/gmock.h>

#include <cstdlib>

#include "engine/compress/int8/fake_quantized.hpp"
#include "engine/compress/measured/fine_tune.hpp"
#include "engine/core/json.hpp"
#include "engine/design/project_file.hpp"
#include "engine/formula/expression.hpp"
#include "tests/engine/compress/int8_trial.hpp"
#include "tests/engine/train/trial.hpp"
#include "tests/support/paths.hpp"

namespace nw::compress::int8 {
namespace {

using testing::HasSubstr;

struct Rounded {
  Tensors tensors;
  FakeQuantized fake;
  Weights weights;  // of `fake`, rounded
};
Rounded rounded(const Trained& t, CalibrationMethod method = CalibrationMethod::minmax) {
  Rounded r{.tensors = *quantize(t.flat, t.weights, t.ranges, method), .fake = {}, .weights = {}};
  auto fake = fake_quantized(t.doc, t.weights, r.tensors);
  EXPECT_TRUE(fake) << fake.error().str();
  r.fake = *std::move(fake);
  r.weights = r.fake.weights;
  const Status done = WeightRounding(t.flat, r.tensors).round(r.fake.weights, r.weights);
  EXPECT_TRUE(done) << done.error().str();
  return r;
}

/// The scores of the 8-bit network that the weights of `fake` make.
std::vector<float> whole_scores(const Trained& t, const Rounded& r) {
  Tensors tensors = r.tensors;
  EXPECT_TRUE(put_weights(t.flat, r.fake.weights, tensors));
  return scores_of(t, tensors, nw::int8::best_kernels(), 1, t.count);
}

double share_farther_than(double tolerance, const std::vector<float>& a, const std::vector<float>& b) {
  double far = 0, largest = 1e-6;
  for (const float v : b) largest = std::max(largest, std::abs(static_cast<double>(v)));
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(static_cast<double>(a[i] - b[i])) <= tolerance * largest)) ++far;
  return far / static_cast<double>(a.size());
}

/// Sums in fp32 are rounded, those in whole numbers are not: where a value lies on the border between two numbers, they
/// may differ by one, and all that follows a little. Stated tolerance: 98 in 100 scores within 1e-5 of the largest.
TEST(FakeQuantized, ComputesWhatTheWholeNumbersDo) {
  for (const char* name : {"lenet5", "mlp"}) {
    const Trained t = trained(find_template(name)->make(), 16);
    const Rounded r = rounded(t);
    const auto fake = exchange::run_network(r.fake.doc, r.weights, t.nchw, t.count);
    ASSERT_TRUE(fake) << name << ": " << fake.error().str();
    const auto whole = whole_scores(t, r), real = *exchange::run_network(t.doc, t.weights, t.nchw, t.count);
    EXPECT_LE(share_farther_than(1e-5, *fake, whole), 0.02) << name;
    EXPECT_GT(share_farther_than(1e-5, real, whole), 0.5) << name << ": the rounding is not seen";
  }
}

TEST(FakeQuantized, EveryFormOfLayerIsNearItsWholeNumbers) {
  const Trained t = trained(many_layers());
  for (const auto method : {CalibrationMethod::minmax, CalibrationMethod::mse}) {
    const Rounded r = rounded(t, method);
    const auto fake = exchange::run_network(r.fake.doc, r.weights, t.nchw, t.count);
    ASSERT_TRUE(fake) << fake.error().str();
    EXPECT_LT(relative_error(*fake, whole_scores(t, r)), 0.01) << name_of(method);
    EXPECT_GT(relative_error(*exchange::run_network(t.doc, t.weights, t.nchw, t.count), whole_scores(t, r)), 0.02);
  }
}

TEST(FakeQuantized, WithoutTrainingTheNumbersAreThoseOfTheQuantization) {
  const Trained t = trained(many_layers());
  const Rounded r = rounded(t);
  Tensors again = r.tensors;
  ASSERT_TRUE(put_weights(t.flat, r.fake.weights, again));
  ASSERT_EQ(again.size(), r.tensors.size());
  for (const auto& [name, tensor] : r.tensors) {
    EXPECT_EQ(again.at(name).shape, tensor.shape) << name;
    ASSERT_EQ(again.at(name).bytes.size(), tensor.bytes.size()) << name;
    if (tensor.type != "I8") continue;
    int differing = 0;  // folded in double there, stored as float here
    for (std::size_t i = 0; i < tensor.bytes.size(); ++i) differing += again.at(name).bytes[i] != tensor.bytes[i];
    EXPECT_LE(differing, static_cast<int>(tensor.bytes.size()) / 100) << name;
  }
}

TEST(FakeQuantized, RefusesWeightsThatAreNotFinite) {
  const Trained t = trained(many_layers());
  Rounded r = rounded(t);
  r.fake.weights.at("conv1.weight").values[3] = INFINITY;
  const Status refused = WeightRounding(t.flat, r.tensors).round(r.fake.weights, r.weights);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().str(), "conv1 holds numbers that are not finite");
}

/// What PyTorch's torch.fake_quantize_per_tensor_affine and per_channel_affine make of the same numbers, and its
/// gradients. Needs a Python with PyTorch.
TEST(FakeQuantized, AgreesWithPyTorch) {
  const char* python = std::getenv("NETWRIGHT_TORCH_PYTHON");
  if (!python) GTEST_SKIP() << "NETWRIGHT_TORCH_PYTHON names no Python with PyTorch";
  const Trained t = trained(many_layers());
  const Rounded r = rounded(t);
  Json cases = Json::array();
  for (const auto& [id, node] : r.fake.doc.graph().nodes) {
    if (node.type != "Formula") continue;
    const auto e = formula::read_expression(std::get<std::string>(node.attrs.at("expression")), {1, 1, 1});
    ASSERT_TRUE(e) << e.error().str();
    const auto value = formula::value_program(*e), gradient = formula::gradient_program(*e, 0);
    std::vector<float> x, y, dx;
    for (int i = -1500; i < 1500; ++i) {
      const float at[2] = {static_cast<float>(i) * 0.00713F, 1.5F};
      const float of_gradient[2] = {at[1], at[0]};  // dy comes first
      x.push_back(at[0]);
      y.push_back(math::run(value->program, at));
      dx.push_back(math::run(gradient->program, gradient->inputs.size() > 1 ? of_gradient : at + 1));
    }
    NodeId from = 0;
    for (const Connection& c : r.fake.doc.graph().connections)
      if (c.to == id) from = c.from;
    const std::string layer = r.fake.doc.graph().nodes.at(from).name;
    cases.push_back({{"layer", layer},
                     {"scale", numbers<float>(r.tensors, layer + ".scale", "F32", {})->front()},
                     {"zero", numbers<std::uint8_t>(r.tensors, layer + ".zero", "U8", {})->front()},
                     {"x", x},
                     {"y", y},
                     {"dx", dx}});
  }
  ASSERT_GT(cases.size(), 8U);
  const auto& w = r.fake.weights.at("grouped.weight");
  const Folder folder;
  const std::string in = (folder.path / "in.json").string(), out = (folder.path / "out").string();
  ASSERT_TRUE(save_file(
      in,
      Json{{"values", cases},
           {"weights", {{"dims", w.dims}, {"values", w.values}, {"rounded", r.weights.at("grouped.weight").values}}}}
          .dump()));
  const std::string command =
      std::string(python) + " -B " + test::source_folder() + "/tests/engine/compress/fake_quantize.py " + in;
  ASSERT_EQ(std::system((command + " > " + out + " 2>&1").c_str()), 0) << *read_file(out, 1 << 16);
  const Json j = Json::parse(*read_file(out, 1 << 16));
  EXPECT_LE(j.at("value_steps").get<double>(), 1.001) << j.dump();  // on the border between two numbers
  EXPECT_LE(j.at("differing_values").get<double>(), 0.001) << j.dump();
  EXPECT_LE(j.at("differing_gradients").get<double>(), 0.001) << j.dump();
  EXPECT_GT(j.at("clipped").get<double>(), 0.05) << "no value beyond the limits was compared";
  EXPECT_LE(j.at("weights").get<double>(), 1e-6) << j.dump();
}

/// LeNet-5, trained on synthetic digits for an epoch.
class FineTune : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    trial = std::make_unique<Trial>(
        [](TrainSettings& s, DataChoice&) {
          s.epochs = 1;
          s.threads = 1;
          s.optimizer.choose("adam");
          s.learning_rate = 0.002;
        },
        "lenet5");
    ASSERT_TRUE(trial->run());
  }
  static void TearDownTestSuite() { trial.reset(); }
  void SetUp() override {
    definition = *read_run_definition(trial->request.run);
    weights = *exchange::weights_of_run(trial->request.run, definition, "latest");
  }
  FineTuned tuned(const Weights& start, const ChangeWeights& change, FineTuning options = {.epochs = 1, .threads = 1}) {
    auto made = fine_tune(trial->request.run, definition.doc, start, change, options);
    EXPECT_TRUE(made) << made.error().str();
    return *std::move(made);
  }
  static Weights moved(Weights w, float by) {
    for (auto& [name, values] : w)
      for (float& v : values.values) v += by;
    return w;
  }

  static inline std::unique_ptr<Trial> trial;
  RunDefinition definition;
  Weights weights;
};

/// The gradient is that at the changed weights, and the update is made to the trained ones: so training w, computing
/// with w + d, is training w + d.
TEST_F(FineTune, UpdatesGoStraightThroughTheChange) {
  constexpr float by = 0.03125F;
  const FineTuned through = tuned(weights, [&](const Weights& trained, Weights& computed) -> Status {
    computed = moved(trained, by);
    return {};
  });
  const FineTuned plain = tuned(moved(weights, by), [](const Weights& trained, Weights& computed) -> Status {
    computed = trained;
    return {};
  });
  double moved_far = 0;
  for (const auto& [name, w] : plain.weights)
    for (std::size_t i = 0; i < w.values.size(); ++i) {
      EXPECT_NEAR(through.weights.at(name).values[i] + by, w.values[i], 2e-5) << name;
      moved_far = std::max(moved_far, std::abs(static_cast<double>(w.values[i] - by - weights.at(name).values[i])));
    }
  EXPECT_GT(moved_far, 5e-4) << "nothing was trained";
  ASSERT_EQ(plain.losses.size(), 1U);
  EXPECT_NEAR(plain.losses[0], through.losses[0], 1e-4);
  EXPECT_DOUBLE_EQ(plain.learning_rate, 0.0002);
}

TEST_F(FineTune, IsRepeatedToTheBitAndStopsWhenAsked) {
  const ChangeWeights same = [](const Weights& trained, Weights& computed) -> Status {
    computed = trained;
    return {};
  };
  const FineTuned a = tuned(weights, same), b = tuned(weights, same);
  for (const auto& [name, w] : a.weights) EXPECT_EQ(w.values, b.weights.at(name).values) << name;
  int calls = 0;
  const auto stopped = fine_tune(trial->request.run, definition.doc, weights, same,
                                 {.epochs = 3, .threads = 1, .progress = [&](const FineTuningProgress& p) {
                                    EXPECT_EQ(p.epochs, 3);
                                    return ++calls < 2;
                                  }});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Errc::stopped);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace nw::compress::int8
