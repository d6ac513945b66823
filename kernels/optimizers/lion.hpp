// SPDX-License-Identifier: Apache-2.0
// Lion: Chen et al., "Symbolic discovery of optimization algorithms", NeurIPS 2023, algorithm 2.
#pragma once
#include "kernels/optimizer_fields.hpp"

namespace nw::optimizers {

struct Lion {
  static constexpr OptimizerField fields[] = {optimizer_fields::beta1(0.9), optimizer_fields::beta2(0.99),
                                              optimizer_fields::weight_decay(0)};
  static constexpr OptimizerState state[] = {{"lion_m"}};
  static constexpr Optimizer record{.name = "lion",
                                    .title = "Lion",
                                    .summary = NW_TR("Steps of one size along the sign of the momentum."),
                                    .fields = fields,
                                    .state = state};
  struct Scalars {
    // keep: the factor of weight decay
    float beta1, one_minus_beta1, beta2, one_minus_beta2, rate, keep;
  };
  NW_HOST_DEVICE static Scalars scalars(const double* values, const UpdatePoint& at) {
    return {static_cast<float>(values[0]), static_cast<float>(1 - values[0]),
            static_cast<float>(values[1]), static_cast<float>(1 - values[1]),
            static_cast<float>(at.rate),   at.decay ? static_cast<float>(1 - at.rate * values[2]) : 1.0f};
  }
  template <class M, class Number = typename M::Number>
  NW_ELEMENT static void update(const Scalars& k, Number& w, Number g, Number* s) {
    const Number direction = M::sign(k.beta1 * s[0] + M::product(k.one_minus_beta1, g));
    w = M::shrink(w, k.keep) - M::product(k.rate, direction);
    s[0] = k.beta2 * s[0] + M::product(k.one_minus_beta2, g);
  }
};

}  // namespace nw::optimizers
