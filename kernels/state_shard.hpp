// SPDX-License-Identifier: Apache-2.0
// The part of the optimizer's state that a replica keeps, and of the weights that it updates (Rajbhandari et al.,
// "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models", 2020, stage 1).
#pragma once
#include <optional>
#include <utility>

#include "kernels/api.hpp"
#include "kernels/executor.hpp"

namespace nw {

/// As a plan's step all_gather has it.
struct StateShard {
  std::vector<std::int64_t> bounds;  // rank r keeps the elements of the flat region from bounds[r] up to bounds[r + 1]
  int rank = 0;
  std::int64_t begin() const { return bounds[static_cast<std::size_t>(rank)]; }
  std::int64_t end() const { return bounds[static_cast<std::size_t>(rank) + 1]; }
  /// The elements of a state that this replica keeps, counted from the state's first; empty: first == second.
  std::pair<std::int64_t, std::int64_t> part_of(const Value& state) const;
};
/// nullopt: the replica keeps all.
std::optional<StateShard> state_shard(const Plan&);
/// The replicas that exchange something in the plan's steps: Plan::world, or those that keep parts of the state.
int replicas_of(const Plan&);

/// Nearly equal parts for `world` replicas, in elements of the flat region. They begin where a block of one weight
/// does (see update_blocks()), so that the sums over blocks are those of one replica.
std::vector<std::int64_t> shard_bounds(const Plan&, int world);
/// Bytes of the optimizer's state that a replica with the elements from `begin` up to `end` does not keep.
std::int64_t state_bytes_elsewhere(const Plan&, std::int64_t begin, std::int64_t end);

/// reduce_scatter: sums the gradients of this replica's part, and the step's metrics. all_gather: the weights that each
/// replica has updated become those of all.
PreparedKernel prepare_reduce_scatter(KernelContext&);
PreparedKernel prepare_all_gather(KernelContext&);

}  // namespace nw
