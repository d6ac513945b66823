// SPDX-License-Identifier: Apache-2.0
// The update of a replica that keeps a part of the optimizer's state.
#pragma once
#include "kernels/api.hpp"

namespace nw {

/// Changes the plan of a training step of one of `world` replicas, `rank`: the gradients of its part are reduced, its
/// part of the weights is updated, and the others' parts are gathered. An optimizer that needs the norms of all
/// gradients still gets all of them.
void shard_update(Plan&, int rank, int world);

}  // namespace nw
