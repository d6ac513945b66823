// SPDX-License-Identifier: Apache-2.0
// Mean of -t log s(x) - (1 - t) log(1 - s(x)) with s the sigmoid, computed as max(x, 0) - x t + log(1 + exp(-|x|)).
#include "engine/layers/element_loss.hpp"

namespace nw {
namespace {
void lower(const Attrs&, Emit& e) { lower_element_loss("bce_with_logits", e); }

}  // namespace

extern const LayerType bce_with_logits_layer{.name = "BCEWithLogits",
                                             .group = "Loss",
                                             .stem = "loss",
                                             .summary = text(NW_TR("For yes or no; the sigmoid is inside.")),
                                             .outputs = 0,
                                             .infer = infer_element_loss,
                                             .lower = lower,
                                             .loss = true,
                                             .targets = "targets",
                                             .activation = "sigmoid"};

}  // namespace nw
