// SPDX-License-Identifier: Apache-2.0
// Mean of -t log p - (1 - t) log(1 - p) of probabilities. The compiler fuses it with the Sigmoid before it, because the
// logarithm of a rounded probability is inaccurate.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) {
  if (in[0].rank() != 2)
    return ShapeError{text(NW_TR("Needs a vector, gets {0}"), to_string(in[0], true)), 0, {QuickFix::insert_flatten}};
  return in[0];
}

void lower(const Attrs&, Emit& e) {
  e.forward("bce_with_logits", {e.input(), e.targets()}, {e.training() ? e.grad_of_input() : -1});
}

}  // namespace

extern const LayerType bce_layer{.name = "BCE",
                                 .group = "Loss",
                                 .stem = "loss",
                                 .summary = text(NW_TR("For yes or no, after a Sigmoid.")),
                                 .outputs = 0,
                                 .infer = infer,
                                 .lower = lower,
                                 .loss = true,
                                 .targets = "targets",
                                 .activation = "sigmoid"};

}  // namespace nw
