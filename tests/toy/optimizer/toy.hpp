// SPDX-License-Identifier: Apache-2.0
// An optimizer that the product does not have: the worked example of docs/adding.md. Momentum with an additional
// hyperparameter that shortens the steps.
#pragma once
#include "kernels/optimizer_fields.hpp"

namespace nw::optimizers {

struct Toy {
  static constexpr OptimizerField fields[] = {
      optimizer_fields::momentum(0.5),
      {.name = "shortening", .otherwise = 0.25, .label = "Shortening", .help = "What is taken off each step."}};
  static constexpr OptimizerState state[] = {{"toy_momentum", "momentum"}};
  static constexpr Optimizer record{
      .name = "toy", .title = "Toy", .summary = "Momentum with shorter steps.", .fields = fields, .state = state};
  struct Scalars {
    float momentum, rate;
  };
  NW_HOST_DEVICE static Scalars scalars(const double* values, const UpdatePoint& at) {
    return {static_cast<float>(values[0]), static_cast<float>(at.rate * (1 - values[1]))};
  }
  template <class M, class Number = typename M::Number>
  NW_ELEMENT static void update(const Scalars& k, Number& w, Number g, Number* s) {
    s[0] = k.momentum * s[0] + g;
    w = w - k.rate * s[0];
  }
};

}  // namespace nw::optimizers
