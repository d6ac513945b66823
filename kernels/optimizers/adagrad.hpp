// SPDX-License-Identifier: Apache-2.0
// Adagrad, as torch.optim.Adagrad: Duchi, Hazan and Singer, "Adaptive subgradient methods for online learning and
// stochastic optimization", JMLR 12, 2011.
#pragma once
#include "kernels/optimizer_fields.hpp"

namespace nw::optimizers {

struct Adagrad {
  static constexpr OptimizerField fields[] = {{.name = "learning_rate_decay",
                                               .hi = 1e4,
                                               .label = NW_TR("Rate decay"),
                                               .help = NW_TR("The learning rate is divided by 1 + steps × this."),
                                               .zero = NW_TR("off")},
                                              optimizer_fields::epsilon(1e-10)};
  static constexpr OptimizerState state[] = {{"adagrad_sum"}};
  static constexpr Optimizer record{.name = "adagrad",
                                    .title = "Adagrad",
                                    .summary = NW_TR("Gradients divided by the root of the sum of all their squares."),
                                    .fields = fields,
                                    .state = state};
  struct Scalars {
    float eps, rate;
  };
  NW_HOST_DEVICE static Scalars scalars(const double* values, const UpdatePoint& at) {
    return {static_cast<float>(values[1]),
            static_cast<float>(at.rate / (1 + static_cast<double>(at.step) * values[0]))};
  }
  template <class M, class Number = typename M::Number>
  NW_ELEMENT static void update(const Scalars& k, Number& w, Number g, Number* s) {
    s[0] += g * g;
    w = w - M::over_root(k.rate, g, s[0], {}, k.eps);
  }
};

}  // namespace nw::optimizers
