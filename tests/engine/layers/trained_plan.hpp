// SPDX-License-Identifier: Apache-2.0
// Gradients of whole networks against finite differences.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/compile/compile.hpp"
#include "tests/support/net_text.hpp"
#include "tests/support/test_team.hpp"

namespace nw::test {

/// A network's plan on one device with random numbers for its inputs and weights. A step does not change the weights.
class TrainedPlan {
 public:
  explicit TrainedPlan(GraphDoc doc, std::int64_t batch = 4, DType precision = DType::f32,
                       const Backend& backend = reference_backend())
      : team_(1), batch_(batch), device_(backend.devices()[0]) {
    TrainSettings s;
    s.optimizer.set("momentum", 0);
    s.precision = precision;
    edit(doc, {PutSettings{s}});
    auto compiled = compile(doc, {.batch = batch, .device = device_.get()});
    EXPECT_TRUE(compiled) << compiled.error().str();
    if (!compiled) return;
    plan_ = std::move(compiled->plan);
    auto made = device_->prepare(plan_, {.team = &team_});
    EXPECT_TRUE(made) << made.error().str();
    run_ = *std::move(made);
    fill();
  }
  bool ready() const { return run_ != nullptr; }
  const Plan& plan() const { return plan_; }
  std::vector<float> read(int v) const {
    std::vector<float> data(static_cast<std::size_t>(plan_.values[static_cast<std::size_t>(v)].shape.elements()));
    run_->read(v, std::as_writable_bytes(std::span(data)));
    return data;
  }
  void write(int v, const std::vector<float>& data) { run_->write(v, std::as_bytes(std::span(data))); }
  double loss() {  // learning rate 0 leaves the weights unchanged
    const auto status = run_->run({.seed = 5, .valid = batch_, .global_valid = batch_, .learning_rate = 0});
    EXPECT_TRUE(status);
    return run_->metrics().loss_sum / static_cast<double>(batch_);
  }

 private:
  void fill() {
    std::mt19937 random(17);
    std::uniform_real_distribution<float> unit(-1, 1);
    for (std::size_t v = 0; v < plan_.values.size(); ++v) {
      const Value& value = plan_.values[v];
      const auto count = static_cast<std::size_t>(value.shape.elements());
      if (value.dtype == DType::i64 && value.role == Role::input) {
        std::vector<std::int64_t> labels(count);
        for (auto& l : labels) l = static_cast<std::int64_t>(random() % 3);
        run_->write(static_cast<int>(v), std::as_bytes(std::span(labels)));
      }
      const bool numbers =
          value.dtype == DType::f32 && value.alias_of < 0 && (value.role == Role::input || value.role == Role::weight);
      if (!numbers) continue;
      std::vector<float> data(count);
      for (float& x : data) x = value.name == "targets" ? std::abs(unit(random)) : unit(random);
      if (value.init == "quarter")  // a learned slope, kept near 1: near -1 the kink dominates
        for (float& x : data) x = 0.75f + 0.2f * x;
      write(static_cast<int>(v), data);
    }
  }
  TestTeam team_;
  std::int64_t batch_;
  std::shared_ptr<Device> device_;
  Plan plan_;
  std::unique_ptr<Executable> run_;
};

/// The derivative of `loss` along `direction` from four points (fourth-order error in the step size), for the step
/// size that gives the value closest to `expected`. A large step may cross a kink of a ReLU or a maximum, a small one
/// loses the difference in float rounding; the usable step size depends on the layer, while a wrong gradient matches
/// at no step size.
inline double closest_slope(TrainedPlan& net, int at, const std::vector<float>& weight,
                            const std::vector<float>& direction, double expected) {
  const auto moved = [&](float by) {
    std::vector<float> w = weight;
    for (std::size_t i = 0; i < w.size(); ++i) w[i] += by * direction[i];
    net.write(at, w);
    return net.loss();
  };
  double closest = std::numeric_limits<double>::infinity();
  for (const float length : {1e-3f, 2e-3f, 4e-3f, 8e-3f, 2e-2f}) {
    const float step = length / std::sqrt(static_cast<float>(weight.size()));
    const double slope = (8 * (moved(step) - moved(-step)) - (moved(2 * step) - moved(-2 * step))) / (12.0 * step);
    if (std::abs(slope - expected) < std::abs(closest - expected)) closest = slope;
  }
  net.write(at, weight);
  return closest;
}

/// The derivative along a random direction must equal the dot product of gradient and direction, for every weight.
inline void expect_gradients(TrainedPlan& net) {
  std::mt19937 random(23);
  int checked = 0;
  for (std::size_t v = 0; v < net.plan().values.size(); ++v) {
    if (net.plan().values[v].role != Role::weight) continue;
    const std::string& name = net.plan().values[v].name;
    const int at = static_cast<int>(v);
    const std::vector<float> weight = net.read(at);
    net.loss();
    const std::vector<float> gradient = net.read(net.plan().find("grad " + name));
    std::vector<float> direction(weight.size());
    double product = 0, length = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) {
      direction[i] = random() % 2 ? 1.0f : -1.0f;
      product += static_cast<double>(direction[i]) * gradient[i];
      length += static_cast<double>(gradient[i]) * gradient[i];
    }
    EXPECT_NEAR(product, closest_slope(net, at, weight, direction, product), 2e-4 * std::sqrt(length) + 2e-5) << name;
    ++checked;
  }
  EXPECT_GE(checked, 2);
}

}  // namespace nw::test
