// SPDX-License-Identifier: Apache-2.0
// Layer-wise adaptive rate scaling: You, Gitman and Ginsburg, "Large batch training of convolutional networks", 2017,
// algorithm 1. A tensor has the plain learning rate if its norm or its gradient's norm is 0, as in NVIDIA's LARC.
#pragma once
#include "kernels/optimizer_fields.hpp"

namespace nw::optimizers {

struct Lars {
  static constexpr OptimizerField fields[] = {
      optimizer_fields::momentum(0.9),
      optimizer_fields::weight_decay(0),
      {.name = "trust_coefficient",
       .otherwise = 0.001,
       .hi = 1e4,
       .label = NW_TR("Trust coefficient"),
       .help = NW_TR("Length of a step, as a share of the weights' own norm.")}};
  static constexpr OptimizerState state[] = {{"lars_momentum", "momentum"}};
  static constexpr Optimizer record{.name = "lars",
                                    .title = "LARS",
                                    .summary = NW_TR("SGD with a learning rate for each weight tensor, for large "
                                                     "batches."),
                                    .fields = fields,
                                    .state = state,
                                    .norms = true};
  struct Scalars {
    float momentum, rate, decay;
  };
  NW_HOST_DEVICE static Scalars scalars(const double* values, const UpdatePoint& at) {
    const double decay = at.decay ? values[1] : 0, norm = at.weight_norm, of_gradient = at.gradient_norm;
    const double trust = norm > 0 && of_gradient > 0 ? values[2] * norm / (of_gradient + decay * norm) : 1;
    return {static_cast<float>(values[0]), static_cast<float>(at.rate * trust), static_cast<float>(decay)};
  }
  template <class M, class Number = typename M::Number>
  NW_ELEMENT static void update(const Scalars& k, Number& w, Number g, Number* s) {
    s[0] = k.momentum * s[0] + M::product(k.rate, g + k.decay * w);
    w = w - s[0];
  }
};

}  // namespace nw::optimizers
