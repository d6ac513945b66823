// SPDX-License-Identifier: Apache-2.0
// Stochastic gradient descent with momentum, as torch.optim.SGD: Sutskever, Martens, Dahl and Hinton, "On the
// importance of initialization and momentum in deep learning", ICML 2013.
#pragma once
#include "kernels/optimizer_fields.hpp"

namespace nw::optimizers {

struct Sgd {
  static constexpr OptimizerField fields[] = {optimizer_fields::momentum(0.9),
                                              {.name = "nesterov",
                                               .kind = OptimizerField::Kind::boolean,
                                               .label = NW_TR("Nesterov"),
                                               .help = NW_TR("Looks ahead along the momentum."),
                                               .only = "momentum",
                                               .needs = NW_TR("Nesterov needs a momentum above 0")}};
  static constexpr OptimizerState state[] = {{"momentum", "momentum"}};
  static constexpr Optimizer record{.name = "sgd",
                                    .title = "SGD",
                                    .summary = NW_TR("Gradient descent with momentum."),
                                    .fields = fields,
                                    .state = state};
  struct Scalars {
    float momentum, rate;
    bool nesterov;
  };
  NW_HOST_DEVICE static Scalars scalars(const double* values, const UpdatePoint& at) {
    return {static_cast<float>(values[0]), static_cast<float>(at.rate), values[1] != 0};
  }
  template <class M, class Number = typename M::Number>
  NW_ELEMENT static void update(const Scalars& k, Number& w, Number g, Number* s) {
    const Number velocity = k.momentum * s[0] + g;
    s[0] = velocity;
    const Number direction = k.nesterov ? g + k.momentum * velocity : velocity;
    w = w - k.rate * direction;
  }
};

}  // namespace nw::optimizers
