// SPDX-License-Identifier: Apache-2.0
// Hyper-parameters that several optimizers have: one text and one range for each name; each optimizer has its own
// defaults.
#pragma once
#include "kernels/optimizer.hpp"

namespace nw::optimizer_fields {

constexpr OptimizerField momentum(double otherwise) {
  return {.name = "momentum",
          .otherwise = otherwise,
          .step = 0.05,
          .label = NW_TR("Momentum"),
          .help = NW_TR("Fraction of the previous step that is added to the next one."),
          .zero = NW_TR("none")};
}
// 1 would cause a division by zero: 1 - beta^t corrects the moments.
constexpr OptimizerField beta1(double otherwise) {
  return {.name = "beta1",
          .otherwise = otherwise,
          .hi = 0.999999,
          .step = 0.01,
          .label = NW_TR("Beta 1"),
          .help = NW_TR("Decay rate of the mean gradient.")};
}
constexpr OptimizerField beta2(double otherwise) {
  return {.name = "beta2",
          .otherwise = otherwise,
          .hi = 0.999999,
          .step = 0.001,
          .label = NW_TR("Beta 2"),
          .help = NW_TR("Decay rate of the second running mean.")};
}
constexpr OptimizerField epsilon(double otherwise) {
  return {.name = "epsilon",
          .otherwise = otherwise,
          .label = NW_TR("Epsilon"),
          .help = NW_TR("Added to the divisor, so that it is never zero.")};
}
/// An optimizer with this field applies weight decay itself; the window then hides L1 and L2.
constexpr OptimizerField weight_decay(double otherwise) {
  return {.name = "weight_decay",
          .otherwise = otherwise,
          .hi = 1e4,
          .label = NW_TR("Weight decay"),
          .help = NW_TR("Shrinks the weights at each step."),
          .zero = NW_TR("off")};
}

}  // namespace nw::optimizer_fields
