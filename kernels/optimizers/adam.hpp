// SPDX-License-Identifier: Apache-2.0
// Adam, as torch.optim.Adam: Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015.
#pragma once
#include "kernels/optimizer_fields.hpp"

namespace nw::optimizers {

struct Adam {
  static constexpr OptimizerField fields[] = {optimizer_fields::beta1(0.9), optimizer_fields::beta2(0.999),
                                              optimizer_fields::epsilon(1e-8)};
  static constexpr OptimizerState state[] = {{"adam_m"}, {"adam_v"}};
  static constexpr Optimizer record{.name = "adam",
                                    .title = "Adam",
                                    .summary = NW_TR("Steps scaled by the running mean of squared gradients."),
                                    .fields = fields,
                                    .state = state};
  struct Scalars {
    float one_minus_beta1, beta2, one_minus_beta2;
    RootScale root;
    float eps, rate, keep;  // keep: the factor of weight decay
  };
  NW_HOST_DEVICE static Scalars scalars(const double* values, const UpdatePoint& at) { return scalars(values, at, 0); }
  NW_HOST_DEVICE static Scalars scalars(const double* values, const UpdatePoint& at, double decay) {
    const double beta1 = values[0], beta2 = values[1], t = static_cast<double>(at.step + 1);
    return {static_cast<float>(1 - beta1),
            static_cast<float>(beta2),
            static_cast<float>(1 - beta2),
            root_scale(1 - pow(beta2, t)),
            static_cast<float>(values[2]),
            static_cast<float>(at.rate / (1 - pow(beta1, t))),
            at.decay ? static_cast<float>(1 - at.rate * decay) : 1.0f};
  }
  template <class M, class Number = typename M::Number>
  NW_ELEMENT static void update(const Scalars& k, Number& w, Number g, Number* s) {
    s[0] += (g - s[0]) * k.one_minus_beta1;
    s[1] = s[1] * k.beta2 + M::weighted_square(k.one_minus_beta2, g);
    w = M::shrink(w, k.keep) - M::over_root(k.rate, s[0], s[1], k.root, k.eps);
  }
};

}  // namespace nw::optimizers
