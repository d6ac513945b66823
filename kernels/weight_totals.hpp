// SPDX-License-Identifier: Apache-2.0
// Sums over all weights of a network (the norm of the gradients, the penalties), of which this device may hold only
// some: each weight has a sum of its own, and these are added in the order of the whole network's weights, so that the
// total has the same bytes however the weights are divided.
#pragma once
#include <span>

#include "kernels/executor.hpp"

namespace nw {

/// Adds `own`, one for each weight of the plan in the order of the flat region. A step whose plan holds only some of a
/// network's weights has the attributes weight_places, the number of each of them among all, and weights_of_all, how
/// many there are; the sums are then exchanged through the communicator, which must not be null. If that fails,
/// RunState::failed is set. Called by one worker.
double total_over_weights(RunState&, const StepAttrs&, std::span<const double> own);

}  // namespace nw
