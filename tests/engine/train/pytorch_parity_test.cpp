// SPDX-License-Identifier: Apache-2.0
// Three training steps of whole networks give PyTorch's losses and gradients: numbers and formula in tests/reference.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "engine/compile/compile.hpp"
#include "engine/core/json.hpp"
#include "engine/design/project_file.hpp"
#include "engine/parallel/team.hpp"
#include "tests/support/torch_numbers.hpp"

namespace nw {
namespace {
using test::fnv;
using test::unit;

bool is_norm(const std::string& name) { return name.find("bn") != std::string::npos || name.find("downsample.1") != std::string::npos; }

float initial(const Value& w, std::uint32_t hash, std::int64_t i) {
  const double v = 2 * unit(hash, i) - 1;
  if (w.shape.rank() >= 2) return static_cast<float>(v / std::sqrt(static_cast<double>(w.shape.per_sample())));
  if (!is_norm(w.name)) return static_cast<float>(v / 10);
  if (w.name.ends_with("weight")) return static_cast<float>((5 + v) / 20);
  if (w.name.find("bn1.") != std::string::npos) return v >= 0 ? 1.5f : -1.5f;
  return static_cast<float>(1 + v / 10);
}

struct Net { std::string name; std::string backend; int threads; };

class PyTorchParity : public testing::TestWithParam<Net> {
 protected:
  void SetUp() override {
    std::ifstream in(std::string(NW_TEST_DIR) + "/reference/" + GetParam().name + ".json");
    ASSERT_TRUE(in);
    expected_ = Json::parse(in);
    doc_ = find_template(GetParam().name)->make();
    TrainSettings s = doc_.settings();
    s.batch = 8;
    s.l2 = GetParam().name == "resnet18-cifar" ? 5e-4 : 0;
    s.clip_norm = s.clip_value = s.l1 = 0;
    ASSERT_TRUE(doc_.apply({PutSettings{s}}));
    const auto& backend = GetParam().backend == "cpu" ? cpu_backend() : reference_backend();
    device_ = backend.devices().front();
    Target target;
    target.device = device_.get();
    target.batch = 8;
    const bool colour = GetParam().name == "resnet18-cifar";
    target.data = {.channels = colour ? 3 : 1, .height = colour ? 32 : 28, .width = colour ? 32 : 28, .classes = 10, .train = 8};
    auto compiled = compile(doc_, target);
    ASSERT_TRUE(compiled) << compiled.error().str();
    plan_ = compiled->plan;
    team_ = make_team(GetParam().threads);
    auto made = device_->prepare(plan_, {.team = team_.get()});
    ASSERT_TRUE(made) << made.error().str();
    run_ = std::move(*made);
    fill_weights();
  }

  void fill_weights() {
    for (std::size_t v = 0; v < plan_.values.size(); ++v) {
      const Value& w = plan_.values[v];
      if (w.role == Role::weight) {
        std::vector<float> data(static_cast<std::size_t>(w.shape.elements()));
        for (std::size_t i = 0; i < data.size(); ++i) data[i] = initial(w, fnv(w.name), static_cast<std::int64_t>(i));
        run_->write(static_cast<int>(v), std::as_bytes(std::span(data)));
      } else if (w.role == Role::buffer && w.dtype == DType::f32) {
        const std::vector<float> data(static_cast<std::size_t>(w.shape.elements()), w.name.ends_with("running_var") ? 1.0f : 0.0f);
        run_->write(static_cast<int>(v), std::as_bytes(std::span(data)));
      }
    }
  }

  void feed(int step) {
    const int images = plan_.find("images"), labels = plan_.find("labels");
    ASSERT_GE(images, 0);
    ASSERT_GE(labels, 0);
    const Shape& s = plan_.values[static_cast<std::size_t>(images)].shape;
    std::vector<float> nhwc(static_cast<std::size_t>(s.elements()));
    const std::uint32_t hash = fnv("images" + std::to_string(step));
    std::int64_t i = 0;
    for (std::int64_t n = 0; n < s[0]; ++n)
      for (std::int64_t c = 0; c < s[1]; ++c)
        for (std::int64_t y = 0; y < s[2]; ++y)
          for (std::int64_t x = 0; x < s[3]; ++x, ++i)
            nhwc[static_cast<std::size_t>(((n * s[2] + y) * s[3] + x) * s[1] + c)] = static_cast<float>(2 * unit(hash, i) - 1);
    run_->write(images, std::as_bytes(std::span(nhwc)));
    std::vector<std::int64_t> classes(8);
    for (std::size_t n = 0; n < 8; ++n)
      classes[n] = static_cast<std::int64_t>(unit(fnv("labels" + std::to_string(step)), static_cast<std::int64_t>(n)) * 10);
    run_->write(labels, std::as_bytes(std::span(classes)));
  }

  void compare_gradients(const Json& expected, int step) {
    for (const auto& [name, want] : expected.items()) {
      const int v = plan_.find("grad " + name);
      ASSERT_GE(v, 0) << "no gradient of " << name;
      std::vector<float> got(static_cast<std::size_t>(plan_.values[static_cast<std::size_t>(v)].shape.elements()));
      run_->read(v, std::as_writable_bytes(std::span(got)));
      test::expect_torch_gradient(got, want, name, "step " + std::to_string(step) + ", " + name);
    }
  }

  /// One step on batch `batch`; its mean loss.
  double step(int number, int batch) {
    static constexpr std::int64_t sample[] = {0, 1, 2, 3, 4, 5, 6, 7};
    feed(batch);
    StepArgs args;
    args.step = number;
    args.valid = args.global_valid = 8;
    args.learning_rate = GetParam().name == "lenet5" ? 1e-2 : 1e-3;
    args.sample = sample;
    const Status status = run_->run(args);
    EXPECT_TRUE(status) << status.error().str();
    return run_->metrics().loss_sum / 8;
  }

  Json expected_;
  GraphDoc doc_;
  std::shared_ptr<Device> device_;
  Plan plan_;
  std::unique_ptr<Team> team_;
  std::unique_ptr<Executable> run_;
};

TEST_P(PyTorchParity, ThreeStepsGiveItsLossesAndGradients) {
  if (GetParam().backend == "reference" && GetParam().name == "resnet18-cifar" && !std::getenv("NETWRIGHT_LONG"))
    GTEST_SKIP() << "plain loops need minutes for a ResNet-18: run with NETWRIGHT_LONG=1";
#ifdef NW_SANITIZED
  if (GetParam().backend == "reference" && GetParam().name == "resnet18-cifar") GTEST_SKIP() << "plain loops need an hour for a ResNet-18 under a sanitizer";
#endif
  for (int i = 0; i < 3; ++i) {
    const double loss = step(i, i), want = expected_["steps"][i]["loss_float32"];
    EXPECT_NEAR(loss, want, 1e-5 * want) << "step " << i;
    compare_gradients(expected_["steps"][i]["gradients"], i);
  }
}

TEST_P(PyTorchParity, AHundredStepsFollowItsLosses) {
  if (GetParam().backend == "reference" && GetParam().name != "mlp") GTEST_SKIP() << "plain loops would need minutes";
#ifdef NW_SANITIZED
  if (GetParam().name == "resnet18-cifar") GTEST_SKIP() << "a ResNet-18 would need minutes under a sanitizer";
#endif
  std::ifstream in(std::string(NW_TEST_DIR) + "/reference/losses.json");
  const Json losses = Json::parse(in)[GetParam().name]["float64"];
  ASSERT_EQ(losses.size(), 100U);
  const int steps = GetParam().name != "resnet18-cifar" || std::getenv("NETWRIGHT_LONG") ? 100 : 30;
  for (int i = 0; i < steps; ++i) {
    const double want = losses[static_cast<std::size_t>(i)];
    ASSERT_NEAR(step(i, i % 4), want, 1e-4 * want) << "step " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, PyTorchParity,
                         testing::Values(Net{"mlp", "reference", 1}, Net{"mlp", "cpu", 2}, Net{"lenet5", "reference", 1},
                                         Net{"lenet5", "cpu", 2}, Net{"resnet18-cifar", "reference", 1}, Net{"resnet18-cifar", "cpu", 2}),
                         [](const auto& info) {
                           std::string name = info.param.name + "_" + info.param.backend;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace nw
