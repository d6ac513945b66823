// SPDX-License-Identifier: Apache-2.0
// Mean of -t log p - (1 - t) log(1 - p) of probabilities. The compiler fuses it with the Sigmoid before it, because the
// logarithm of a rounded probability is inaccurate.
#include "engine/layers/element_loss.hpp"

namespace nw {
namespace {
void lower(const Attrs&, Emit& e) { lower_element_loss("bce_with_logits", e); }

}  // namespace

extern const LayerType bce_layer{.name = "BCE",
                                 .group = "Loss",
                                 .stem = "loss",
                                 .summary = text(NW_TR("For yes or no, after a Sigmoid.")),
                                 .outputs = 0,
                                 .infer = infer_element_loss,
                                 .lower = lower,
                                 .loss = true,
                                 .targets = "targets",
                                 .activation = "sigmoid"};

}  // namespace nw
