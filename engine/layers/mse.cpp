// SPDX-License-Identifier: Apache-2.0
// Mean of (x - target)^2 over samples and elements.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) {
  if (in[0].rank() != 2)
    return ShapeError{text(NW_TR("Needs a vector, gets {0}"), to_string(in[0], true)), 0, {QuickFix::insert_flatten}};
  return in[0];
}

void lower(const Attrs&, Emit& e) {
  e.forward("mse", {e.input(), e.targets()}, {e.training() ? e.grad_of_input() : -1});
}

}  // namespace

extern const LayerType mse_layer{.name = "MSE",
                                 .group = "Loss",
                                 .stem = "loss",
                                 .summary = text(NW_TR("Squared distance from the target.")),
                                 .outputs = 0,
                                 .infer = infer,
                                 .lower = lower,
                                 .loss = true,
                                 .targets = "targets",
                                 .activation = "none"};

}  // namespace nw
