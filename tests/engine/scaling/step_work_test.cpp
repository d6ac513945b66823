// SPDX-License-Identifier: Apache-2.0
// What the kernels of plans compute and move.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/scaling/step_work.hpp"
#include "kernels/optimizer.hpp"
#include "tests/engine/scaling/setups.hpp"

namespace nw::scaling {
namespace {

using test::Bench;
using test::network;

double multiply_adds(const Plan& plan, Phase phase) {
  double all = 0;
  for (const Step& s : plan.steps)
    if (s.phase == phase) all += work_of(plan, s).multiply_adds;
  return all;
}

/// The layers' own counts, for a sample: the forward pass computes them, and the backward pass at most twice as many,
/// without the gradient of the images.
TEST(StepWork, ProductsAreThoseOfTheLayers) {
  const Bench h100("H100"), cpu("cpu");
  for (const Bench* bench : {&h100, &cpu})
    for (const auto& [name, facts] : {std::pair("lenet5", test::digits), std::pair("resnet50", test::photos),
                                      std::pair("mobilenetv2", test::photos), std::pair("mlp", test::digits)}) {
      if (!find_template(name)) continue;
      const GraphDoc doc = network(name, 4);
      const Target target{.batch = 4, .device = bench->setup.compiled_for, .data = facts};
      const auto compiled = compile(doc, target);
      ASSERT_TRUE(compiled) << name << compiled.error().str();
      const double own = 4.0 * static_cast<double>(analyse(doc, target).multiply_adds);
      EXPECT_NEAR(multiply_adds(compiled->plan, Phase::forward) / own, 1, 0.01) << name;
      const double backward = multiply_adds(compiled->plan, Phase::backward) / own;
      EXPECT_LT(backward, 2.01) << name;
      EXPECT_GT(backward, 1.05) << name << ": most of mlp's products are of its first layer";
    }
}

TEST(StepWork, AttentionMultipliesTokensWithTokens) {
  Plan plan;
  plan.values.push_back({.name = "x", .shape = {2, 3 * 64, 10, 1}});
  plan.values.push_back({.name = "y", .shape = {2, 64, 10, 1}});
  plan.values.push_back({.name = "dx", .shape = {2, 3 * 64, 10, 1}});
  const Step forward{.kernel = "attention", .inputs = {0}, .outputs = {1}};
  const Step backward{.kernel = "attention_grad", .inputs = {1, 0}, .outputs = {2}, .phase = Phase::backward};
  EXPECT_EQ(work_of(plan, forward).multiply_adds, 2 * 2 * 64 * 10 * 10);
  EXPECT_EQ(work_of(plan, backward).multiply_adds, 2 * 2 * 2 * 64 * 10 * 10);
  EXPECT_EQ(work_of(plan, forward).bytes, 4 * (2 * 3 * 64 * 10 + 2 * 64 * 10));
}

TEST(StepWork, TheUpdateReadsAndWritesWeightsGradientsAndStates) {
  const Bench h100("H100");
  const auto compiled =
      compile(network("mlp", 4), {.batch = 4, .device = h100.setup.compiled_for, .data = test::digits});
  ASSERT_TRUE(compiled);
  const Plan& plan = compiled->plan;
  const auto update =
      std::find_if(plan.steps.begin(), plan.steps.end(), [](const Step& s) { return find_optimizer(s.kernel); });
  ASSERT_NE(update, plan.steps.end());
  double states = 0;
  for (const Value& v : plan.values)
    if (v.role == Role::optimizer) states += 4.0 * static_cast<double>(v.shape.elements());
  EXPECT_GT(states, 0);
  EXPECT_EQ(work_of(plan, *update).bytes, 3 * 4.0 * static_cast<double>(plan.weight_elements) + 2 * states);
}

TEST(StepWork, AKernelTakesTheLongerOfProductsAndMemory) {
  DeviceFigures d{.name = "d", .fp32 = 100, .memory_bytes_per_s = 10};
  d.core_share = d.memory_share = 0.5;
  d.kernel_start_s = 3;
  Plan plan;
  plan.values.push_back({.name = "x", .shape = {1, 10}});
  plan.values.push_back({.name = "w", .shape = {20, 10}});
  plan.values.push_back({.name = "y", .shape = {1, 20}});
  const Step s{.kernel = "linear", .inputs = {0, 1, -1}, .outputs = {2}};
  EXPECT_EQ(work_of(plan, s).multiply_adds, 200);
  EXPECT_EQ(time_of(plan, s, d).memory_s, 4 * 230 / 5.0);
  EXPECT_EQ(time_of(plan, s, d).products_s, 0);
  EXPECT_EQ(time_of(plan, s, d).starts_s, 3);
  d.memory_bytes_per_s = 1e6;
  EXPECT_EQ(time_of(plan, s, d).products_s, 2 * 200 / 50.0);
}

TEST(StepWork, WinogradIsOfProcessorsAndOfCertainConvolutions) {
  DeviceFigures d{.name = "d", .fp32 = 2, .memory_bytes_per_s = 1e12};
  d.core_share = 1;
  const auto products = [&](std::int64_t taps, std::int64_t stride, std::int64_t channels) {
    Plan plan;
    plan.values.push_back({.name = "x", .shape = {1, channels, 8, 8}});
    plan.values.push_back({.name = "w", .shape = {16, channels, taps, taps}});
    plan.values.push_back({.name = "y", .shape = {1, 16, 1, 1}});
    const Step s{.kernel = "conv2d",
                 .inputs = {0, 1, -1},
                 .outputs = {2},
                 .attrs = {{"stride", std::vector<std::int64_t>{stride, stride}}}};
    return time_of(plan, s, d).products_s;
  };
  EXPECT_EQ(products(3, 1, 16), 16 * 16 * 9);
  d.winograd = true;
  EXPECT_EQ(products(3, 1, 16), 16 * 16 * 9 / 4);
  EXPECT_EQ(products(3, 2, 16), 16 * 16 * 9);
  EXPECT_EQ(products(1, 1, 16), 16 * 16);
  EXPECT_EQ(products(3, 1, 3), 16 * 3 * 9) << "too few channels";
}

}  // namespace
}  // namespace nw::scaling
