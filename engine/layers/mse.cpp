// SPDX-License-Identifier: Apache-2.0
// Mean of (x - target)^2 over samples and elements.
#include "engine/layers/element_loss.hpp"

namespace nw {
namespace {
void lower(const Attrs&, Emit& e) { lower_element_loss("mse", e); }

}  // namespace

extern const LayerType mse_layer{.name = "MSE",
                                 .group = "Loss",
                                 .stem = "loss",
                                 .summary = text(NW_TR("Squared distance from the target.")),
                                 .outputs = 0,
                                 .infer = infer_element_loss,
                                 .lower = lower,
                                 .loss = true,
                                 .targets = "targets",
                                 .activation = "none"};

}  // namespace nw
