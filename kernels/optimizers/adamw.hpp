// SPDX-License-Identifier: Apache-2.0
// Adam with decoupled weight decay, as torch.optim.AdamW: Loshchilov and Hutter, "Decoupled weight decay
// regularization", ICLR 2019. Its states have the names of Adam's.
#pragma once
#include "kernels/optimizers/adam.hpp"

namespace nw::optimizers {

struct Adamw : Adam {
  static constexpr OptimizerField fields[] = {optimizer_fields::beta1(0.9), optimizer_fields::beta2(0.999),
                                              optimizer_fields::epsilon(1e-8), optimizer_fields::weight_decay(0.01)};
  static constexpr Optimizer record{.name = "adamw",
                                    .title = "AdamW",
                                    .summary = NW_TR("Adam with weight decay apart from the gradient."),
                                    .fields = fields,
                                    .state = state};
  NW_HOST_DEVICE static Scalars scalars(const double* values, const UpdatePoint& at) {
    return Adam::scalars(values, at, values[3]);
  }
};

}  // namespace nw::optimizers
