// SPDX-License-Identifier: Apache-2.0
// Mean of -t log p - (1 - t) log(1 - p) of probabilities. The compiler fuses it with the Sigmoid before it, because the
// logarithm of a rounded probability is inaccurate.
#include "engine/layers/binary_loss.hpp"

namespace nw {

extern const LayerType bce_layer{.name = "BCE",
                                 .group = "Loss",
                                 .stem = "loss",
                                 .summary = text(NW_TR("For yes or no, after a Sigmoid.")),
                                 .outputs = 0,
                                 .fields = binary_loss_fields(),
                                 .infer = infer_binary_loss,
                                 .lower = lower_binary_loss,
                                 .loss = true,
                                 .targets = "targets",
                                 .activation = "sigmoid"};

}  // namespace nw
