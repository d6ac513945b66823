// SPDX-License-Identifier: Apache-2.0
// Dynamic loss scaling, function by function: the scale changes as torch.amp.GradScaler's does, and a non-finite value
// that scaling did not cause ends the run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "kernels/cuda/blocks/sums.hpp"
#include "tests/support/paths.hpp"

namespace nw::cuda {
namespace {

StepBlock after_step(bool overflow) {
  StepBlock b{};
  b.finite = overflow ? 0 : 1;
  b.loss_sum = 1;
  b.grad_norm = overflow ? std::numeric_limits<double>::infinity() : 1;
  return b;
}

TEST(LossScale, ChangesAsInPyTorch) {
  const auto reference = nlohmann::json::parse(std::ifstream(test::tests_folder() + "/reference/loss_scale.json"));
  const std::vector<int> overflows = reference["overflows"];
  LossScaler scaler{AdvanceLossScale::first, 0};
  auto changes = nlohmann::json::array();
  for (int step = 0; step < reference["steps"]; ++step) {
    const double before = scaler.scale;
    const bool overflow = std::find(overflows.begin(), overflows.end(), step) != overflows.end();
    StepBlock block = after_step(overflow);
    AdvanceLossScale{&scaler, &block}(0);
    EXPECT_EQ(block.skipped, overflow) << step;
    EXPECT_EQ(block.finite, 1) << step;
    EXPECT_TRUE(std::isfinite(block.grad_norm)) << step;
    EXPECT_EQ(block.loss_scale, scaler.scale);
    if (scaler.scale != before) changes.push_back({step, scaler.scale});
  }
  EXPECT_EQ(changes, reference["changes"]);
}

TEST(LossScale, DoesNotGrowToInfinity) {
  LossScaler scaler{0x1p127, AdvanceLossScale::interval - 1};
  StepBlock block = after_step(false);
  AdvanceLossScale{&scaler, &block}(0);
  EXPECT_EQ(scaler.scale, 0x1p127);
  EXPECT_EQ(scaler.good_steps, 0);
}

TEST(LossScale, IsUnchangedWhenTheLossIsNotFiniteOrTheScaleIsOne) {
  LossScaler scaler{65536, 12};
  StepBlock block = after_step(true);
  block.loss_sum = std::numeric_limits<double>::quiet_NaN();
  AdvanceLossScale{&scaler, &block}(0);
  EXPECT_EQ(block.finite, 0);
  EXPECT_EQ(scaler.scale, 65536);
  scaler.scale = 1;
  block = after_step(true);
  AdvanceLossScale{&scaler, &block}(0);
  EXPECT_EQ(block.finite, 0);
  EXPECT_EQ(block.skipped, 0);
}

TEST(LossScale, GradientsAreUnscaledExactly) {
  alignas(16) float grads[] = {3 * 65536.0f, -65536.0f, std::numeric_limits<float>::infinity(), 1.5f};
  const LossScaler scaler{65536, 0};
  const FlatRegion region{nullptr, grads, 4, nullptr, nullptr};
  const SquareOfGradient square{&scaler};
  square.sum(square.begin(), region, {1, 0, 0, 4}, 0);
  EXPECT_EQ(grads[0], 3);
  EXPECT_EQ(grads[1], -1);
  EXPECT_TRUE(std::isinf(grads[2]));
  EXPECT_EQ(grads[3], 1.5f / 65536);
}

}  // namespace
}  // namespace nw::cuda
