// SPDX-License-Identifier: Apache-2.0
// The templates that are named as torchvision's networks have its parameters; one step gives its loss and gradients.
// Values and formula: tests/reference/make/make_template_reference.py.
#include <gtest/gtest.h>

#include <fstream>

#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "engine/parallel/team.hpp"
#include "engine/train/initial_weights.hpp"
#include "tests/support/net_text.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/torch_numbers.hpp"

namespace nw {
namespace {
using test::fnv;
using test::unit;

constexpr std::int64_t template_batch = 4, size = 64, classes = 1000;

const Json& nets() {
  static const Json all = [] {
    std::ifstream in(test::tests_folder() + "/reference/templates.json");
    return in ? Json::parse(in)["nets"] : Json::object();
  }();
  return all;
}

/// The template for images of 64 pixels, with nothing left out at random.
GraphDoc drawn(const std::string& name) {
  GraphDoc doc = find_template(name)->make();
  std::vector<std::string> scopes{""};
  for (const auto& [block, definition] : doc.blocks()) scopes.push_back(block);
  for (const std::string& scope : scopes)
    for (const auto& [id, node] : std::map(doc.graph(scope).nodes)) {
      if (node.type == "Dropout" || node.type == "StochasticDepth") test::edit(doc, set_attr(doc, scope, id, "p", 0.0));
      if (node.type != "Input") continue;
      test::edit(doc, set_attr(doc, scope, id, "height", size));
      test::edit(doc, set_attr(doc, scope, id, "width", size));
    }
  return doc;
}

/// `kinks`: the network has ReLU or ReLU6.
double initial(const Plan& plan, const Value& w, std::int64_t i, bool kinks) {
  const std::string name = name_in_files(w);
  const double u = unit(fnv(name), i), v = 2 * u - 1;
  const bool is_weight = name.ends_with(".weight"), is_bias = name.ends_with("bias");
  if (kinks && plan.find(name.substr(0, name.rfind('.')) + ".running_mean") >= 0)
    return is_weight ? (5 + v) / 20 : v >= 0 ? 1.5 : -1.5;
  if (is_bias) return v / 10;
  if (w.shape.rank() == 1 || w.shape.rank() == 3) return 0.75 + u / 2;
  return v / std::sqrt(static_cast<double>(w.shape.per_sample()));
}

/// Compares gradients by their projections on one random vector. Together they are within 1e-4; each alone within 5e-4
/// of its norm (of a hundredth of the network's largest, if that is more): in a batch norm of 16 numbers fp32 reaches
/// no better.
class Comparison {
 public:
  explicit Comparison(const Json& wanted) : wanted_(wanted) {
    for (const auto& [name, gradient] : wanted.items()) largest_ = std::max(largest_, gradient["norm"].get<double>());
  }
  void add(const std::vector<float>& got, const std::string& name) {
    const Json& want = wanted_[name];
    const double scale = std::max(want["norm"].get<double>(), largest_ / 100);
    double squares = 0, projection = 0;
    const std::uint32_t hash = fnv(name + "/projection");
    for (std::size_t i = 0; i < got.size(); ++i) {
      squares += static_cast<double>(got[i]) * got[i];
      projection += got[i] * (2 * unit(hash, static_cast<std::int64_t>(i)) - 1);
    }
    const double off = projection - want["projection"].get<double>();
    EXPECT_NEAR(std::sqrt(squares), want["norm"].get<double>(), 5e-4 * scale) << name;
    EXPECT_LE(std::abs(off), 5e-4 * scale) << name;
    const std::vector<double> samples = want["samples"];
    for (std::size_t k = 0; k < samples.size(); ++k)
      EXPECT_NEAR(got[k * got.size() / samples.size()], samples[k], 5e-4 * scale) << name << ", sample " << k;
    apart_ += 3 * off * off;  // a vector's projection has a third of its square
    size_ += squares;
  }
  double distance() const { return std::sqrt(apart_ / size_); }

 private:
  const Json& wanted_;
  double largest_ = 0, apart_ = 0, size_ = 0;
};

class TorchTemplate : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto compiled = compile(drawn(GetParam()), {.batch = template_batch, .device = device_.get()});
    ASSERT_TRUE(compiled) << compiled.error().str();
    plan_ = std::move(compiled->plan);
  }
  const Json& wanted() const { return nets().at(GetParam()); }

  double step() {
    auto made = device_->prepare(plan_, {.team = team_.get()});
    EXPECT_TRUE(made) << made.error().str();
    if (!made) return 0;
    run_ = std::move(*made);
    for (std::size_t v = 0; v < plan_.values.size(); ++v)
      if (plan_.values[v].role == Role::weight || plan_.values[v].role == Role::buffer) fill(v);
    feed();
    const Status done = run_->run({.valid = template_batch, .global_valid = template_batch});
    EXPECT_TRUE(done) << done.error().str();
    return run_->metrics().loss_sum / template_batch;
  }
  std::vector<float> gradient(const Value& weight) const {
    const int v = plan_.find("grad " + weight.name);
    std::vector<float> got(static_cast<std::size_t>(weight.shape.elements()));
    run_->read(v, std::as_writable_bytes(std::span(got)));
    return got;
  }
  const Plan& plan() const { return plan_; }

 private:
  void fill(std::size_t v) {
    const Value& w = plan_.values[v];
    if (w.dtype != DType::f32) return;
    const bool kinks = std::string(GetParam()) != "efficientnet_b0";
    std::vector<float> data(static_cast<std::size_t>(w.shape.elements()),
                            w.name.ends_with("running_var") ? 1.0f : 0.0f);
    for (std::size_t i = 0; w.role == Role::weight && i < data.size(); ++i)
      data[i] = static_cast<float>(initial(plan_, w, static_cast<std::int64_t>(i), kinks));
    run_->write(static_cast<int>(v), std::as_bytes(std::span(data)));
  }
  void feed() {
    std::vector<float> nhwc(static_cast<std::size_t>(template_batch * 3 * size * size));
    for (std::size_t at = 0; at < nhwc.size(); ++at) {  // the formula counts in (N,C,H,W) order
      const auto e = static_cast<std::int64_t>(at), c = e % 3, pixel = e / 3 % (size * size), n = e / 3 / (size * size);
      nhwc[at] = static_cast<float>(2 * unit(fnv("images"), (n * 3 + c) * size * size + pixel) - 1);
    }
    run_->write(plan_.find("images"), std::as_bytes(std::span(nhwc)));
    std::vector<std::int64_t> labels;
    for (std::int64_t n = 0; n < template_batch; ++n)
      labels.push_back(static_cast<std::int64_t>(unit(fnv("labels"), n) * classes));
    run_->write(plan_.find("labels"), std::as_bytes(std::span(labels)));
  }

  std::shared_ptr<Device> device_ = cpu_backend().devices().front();
  std::unique_ptr<Team> team_ = make_team(2);
  Plan plan_;
  std::unique_ptr<Executable> run_;
};

TEST_P(TorchTemplate, HasTheNamesAndSizesOfItsStateDictionary) {
  std::map<std::string, std::vector<std::int64_t>> got;
  for (const Value& v : plan().values) {
    if (v.role != Role::weight && v.role != Role::buffer) continue;
    std::vector<std::int64_t>& sizes = got[name_in_files(v)];
    for (int d = 0; d < v.shape.rank(); ++d) sizes.push_back(v.shape[d]);
  }
  EXPECT_EQ(got, (wanted()["state"].get<std::map<std::string, std::vector<std::int64_t>>>()));
}

TEST_P(TorchTemplate, OneStepGivesItsLossAndGradients) {
#ifdef NW_SANITIZED
  GTEST_SKIP() << "these networks would need minutes under a sanitizer";
#endif
  const double loss = wanted()["loss"];
  EXPECT_NEAR(step(), loss, 1e-5 * loss);
  Comparison gradients(wanted()["gradients"]);
  for (const Value& v : plan().values)
    if (v.role == Role::weight) gradients.add(gradient(v), name_in_files(v));
  EXPECT_LE(gradients.distance(), 1e-4);
  RecordProperty("distance", fmt::format("{:.2g}", gradients.distance()));
}

INSTANTIATE_TEST_SUITE_P(Torchvision, TorchTemplate,
                         testing::Values("squeezenet1_1", "mobilenet_v2", "densenet121", "efficientnet_b0",
                                         "convnext_tiny", "vit_tiny"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace nw
