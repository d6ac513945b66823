// SPDX-License-Identifier: Apache-2.0
// One training step through each layer gives PyTorch's loss and gradients. Values and formula: tests/reference.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "engine/compile/compile.hpp"
#include "engine/parallel/team.hpp"
#include "tests/support/net_text.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/torch_numbers.hpp"

namespace nw {
namespace {
using test::fnv;
using test::unit;

constexpr std::int64_t batch = 4;

const Json& layers() {
  static const Json all = [] {
    std::ifstream in(test::tests_folder() + "/reference/layers.json");
    return in ? Json::parse(in)["layers"] : Json::array();
  }();
  return all;
}

double initial(const Value& w, std::int64_t i) {
  const double u = unit(fnv(w.name), i);
  if (w.name.ends_with("bias")) return (2 * u - 1) / 10;
  if (w.shape.rank() == 1 || w.shape.rank() == 3) return 0.75 + u / 2;
  return (2 * u - 1) / std::sqrt(static_cast<double>(w.shape.per_sample()));
}

/// One step of the tested layer between two layers with weights, on one backend.
class Step {
 public:
  Step(const std::string& layer, const Backend& backend) : device_(backend.devices().front()), team_(make_team(2)) {
    const GraphDoc doc = test::net("images: Input 3x6x5; before: Conv2d out_channels=4 kernel_size=1; " + layer +
                                   "; after: Flatten; last: Linear out_features=3; loss: MSE");
    auto compiled = compile(doc, {.batch = batch, .device = device_.get()});
    EXPECT_TRUE(compiled) << compiled.error().str();
    if (!compiled) return;
    plan_ = compiled->plan;
    auto made = device_->prepare(plan_, {.team = team_.get()});
    EXPECT_TRUE(made) << made.error().str();
    run_ = std::move(*made);
    for (std::size_t v = 0; v < plan_.values.size(); ++v)
      if (plan_.values[v].role == Role::weight)
        write(static_cast<int>(v), [&](std::int64_t i) { return initial(plan_.values[v], i); });
    write(plan_.find("images"), [&](std::int64_t i) {  // i counts channels innermost, the formula in (N,C,H,W) order
      const std::int64_t n = i / 90, y = i / 15 % 6, x = i / 3 % 5, c = i % 3;
      return 2 * unit(fnv("images"), ((n * 3 + c) * 6 + y) * 5 + x) - 1;
    });
    write(plan_.find("targets"), [](std::int64_t i) { return unit(fnv("targets"), i); });
    const Status done = run_->run({.valid = batch, .global_valid = batch});
    EXPECT_TRUE(done) << done.error().str();
  }
  bool ready() const { return run_ != nullptr; }
  double loss() const { return run_->metrics().loss_sum / batch; }
  std::vector<float> gradient(const std::string& name) const {
    const int v = plan_.find("grad " + name);
    EXPECT_GE(v, 0) << "no gradient of " << name;
    std::vector<float> got(
        static_cast<std::size_t>(v < 0 ? 0 : plan_.values[static_cast<std::size_t>(v)].shape.elements()));
    if (v >= 0) run_->read(v, std::as_writable_bytes(std::span(got)));
    return got;
  }

 private:
  template <class F>
  void write(int v, F f) {
    std::vector<float> data(static_cast<std::size_t>(plan_.values[static_cast<std::size_t>(v)].shape.elements()));
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(f(static_cast<std::int64_t>(i)));
    run_->write(v, std::as_bytes(std::span(data)));
  }
  std::shared_ptr<Device> device_;
  std::unique_ptr<Team> team_;
  Plan plan_;
  std::unique_ptr<Executable> run_;
};

class TorchLayer : public testing::TestWithParam<std::tuple<std::size_t, const char*>> {};

TEST_P(TorchLayer, OneStepGivesItsLossAndGradients) {
  const auto [index, backend] = GetParam();
  const Json& wanted = layers().at(index);
  const std::string layer = wanted["net"];
  SCOPED_TRACE(layer);
  const Step step(layer, std::string(backend) == "cpu" ? cpu_backend() : reference_backend());
  ASSERT_TRUE(step.ready());
  const double loss = wanted["loss"];
  EXPECT_NEAR(step.loss(), loss, 1e-5 * loss);
  for (const auto& [name, gradient] : wanted["gradients"].items())
    test::expect_torch_gradient(step.gradient(name), gradient, name, name);
}

std::string name_of(const testing::TestParamInfo<std::tuple<std::size_t, const char*>>& info) {
  const auto [index, backend] = info.param;
  const std::string net = layers().at(index)["net"];
  std::string name;
  for (const char c : net.substr(net.rfind("layer: ") + 7))
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name + "_on_" + backend;
}

std::vector<std::size_t> indices() {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < layers().size(); ++i) all.push_back(i);
  return all;
}
INSTANTIATE_TEST_SUITE_P(All, TorchLayer,
                         testing::Combine(testing::ValuesIn(indices()), testing::Values("reference", "cpu")), name_of);

/// Layers without computation, or whose reference values are in the file of tests/reference named on the line.
const std::set<std::string_view> numbers_elsewhere{
    "Input",       "BlockInput",      "BlockOutput",    "Identity",  // nothing
    "BCE",         "BCEWithLogits",   "CrossEntropy",   "MSE",       // losses.json
    "Conv2d",      "Linear",          "MaxPool2d",      "Flatten",   // lenet5.json
    "BatchNorm2d", "GlobalAvgPool2d",                                // resnet18-cifar.json
    "Concat",                                                        // only copies values
    "Dropout",     "Dropout2d",       "StochasticDepth"};            // their random numbers differ from PyTorch's

TEST(TorchLayers, EveryLayerHasNumbersOfPyTorch) {
  std::set<std::string> with_numbers;
  for (const Json& layer : layers()) {
    const std::string net = layer["net"], type = net.substr(net.rfind("layer: ") + 7);
    with_numbers.insert(type.substr(0, type.find(' ')));
  }
  for (const LayerType* layer : all_layers()) {
    if (layer->refusal) continue;
    const bool has = with_numbers.count(std::string(layer->name)) > 0, elsewhere = numbers_elsewhere.count(layer->name);
    EXPECT_TRUE(has || elsewhere) << "the layer " << layer->name
                                  << " has no numbers of PyTorch: add it to LAYERS of "
                                     "tests/reference/make/make_layer_reference.py and run that script";
    EXPECT_FALSE(has && elsewhere) << "tests/reference/layers.json has the layer " << layer->name
                                   << ": remove it from numbers_elsewhere";
  }
}

}  // namespace
}  // namespace nw
