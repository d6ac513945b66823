// SPDX-License-Identifier: Apache-2.0
// Mean of -t log s(x) - (1 - t) log(1 - s(x)) with s the sigmoid, computed as max(x, 0) - x t + log(1 + exp(-|x|)).
#include "engine/layers/binary_loss.hpp"

namespace nw {

extern const LayerType bce_with_logits_layer{.name = "BCEWithLogits",
                                             .group = "Loss",
                                             .stem = "loss",
                                             .summary = text(NW_TR("For yes or no; the sigmoid is inside.")),
                                             .outputs = 0,
                                             .fields = binary_loss_fields(),
                                             .infer = infer_binary_loss,
                                             .lower = lower_binary_loss,
                                             .loss = true,
                                             .targets = "targets",
                                             .activation = "sigmoid"};

}  // namespace nw
