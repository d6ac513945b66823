// SPDX-License-Identifier: Apache-2.0
// RMSprop, as torch.optim.RMSprop: Tieleman and Hinton, lecture 6.5 of "Neural networks for machine learning", 2012;
// the centered form is that of Graves, "Generating sequences with recurrent neural networks", 2013.
#pragma once
#include "kernels/optimizer_fields.hpp"

namespace nw::optimizers {

struct Rmsprop {
  static constexpr OptimizerField fields[] = {
      {.name = "alpha",
       .otherwise = 0.99,
       .step = 0.01,
       .label = NW_TR("Alpha"),
       .help = NW_TR("Decay rate of the running mean of squared gradients.")},
      optimizer_fields::epsilon(1e-8),
      optimizer_fields::momentum(0),
      {.name = "centered",
       .kind = OptimizerField::Kind::boolean,
       .label = NW_TR("Centered"),
       .help = NW_TR("Divides by the estimated standard deviation of the gradient instead of its root mean square.")}};
  static constexpr OptimizerState state[] = {
      {"rmsprop_square"}, {"rmsprop_mean", "centered"}, {"rmsprop_momentum", "momentum"}};
  static constexpr Optimizer record{.name = "rmsprop",
                                    .title = "RMSprop",
                                    .summary = NW_TR("Gradients divided by their running root mean square."),
                                    .fields = fields,
                                    .state = state};
  struct Scalars {
    float alpha, one_minus_alpha, eps, momentum, rate;
    bool centered;
  };
  NW_HOST_DEVICE static Scalars scalars(const double* values, const UpdatePoint& at) {
    return {static_cast<float>(values[0]), static_cast<float>(1 - values[0]), static_cast<float>(values[1]),
            static_cast<float>(values[2]), static_cast<float>(at.rate),       values[3] != 0};
  }
  template <class M, class Number = typename M::Number>
  NW_ELEMENT static void update(const Scalars& k, Number& w, Number g, Number* s) {
    s[0] = s[0] * k.alpha + M::weighted_square(k.one_minus_alpha, g);
    Number variance = s[0];
    if (k.centered) {
      s[1] += (g - s[1]) * k.one_minus_alpha;
      variance = M::positive_part(s[0] - s[1] * s[1]);  // rounding may make the difference negative
    }
    s[2] = k.momentum * s[2] + M::over_root(1, g, variance, {}, k.eps);
    w = w - k.rate * s[2];
  }
};

}  // namespace nw::optimizers
