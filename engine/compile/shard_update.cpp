// SPDX-License-Identifier: Apache-2.0
#include "engine/compile/shard_update.hpp"

#include <algorithm>

#include "engine/compile/context.hpp"
#include "kernels/state_shard.hpp"

namespace nw {

void shard_update(Plan& plan, int rank, int world) {
  const std::vector<std::int64_t> bounds = shard_bounds(plan, world);
  const bool all_gradients =
      std::any_of(plan.steps.begin(), plan.steps.end(), [](const Step& s) { return s.kernel == "weight_norms"; });
  for (Step& s : plan.steps) {
    if (all_gradients || s.phase != Phase::reduce || s.kernel != "all_reduce") continue;
    s.kernel = s.label = "reduce_scatter";
    s.op = compiling::op_of(s.kernel);
    s.attrs["bounds"] = bounds;
  }
  plan.steps.push_back({.kernel = "all_gather",
                        .attrs = {{"bounds", bounds}, {"rank", std::int64_t{rank}}},
                        .phase = Phase::update,
                        .op = compiling::op_of("all_gather"),
                        .label = "all_gather"});
}

}  // namespace nw
