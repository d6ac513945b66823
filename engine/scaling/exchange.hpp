// SPDX-License-Identifier: Apache-2.0
// The exchange of gradients while the backward pass goes on.
#pragma once
#include <span>
#include <vector>

#include "engine/scaling/links.hpp"

namespace nw::scaling {

/// A gradient, and when it is complete, counted from the begin of the step.
struct ReadyGradient {
  double ready_s = 0, bytes = 0;
};
/// As DistributedDataParallel's: Li et al., "PyTorch Distributed", 2020.
inline constexpr double bucket_bytes = 25.0 * 1024 * 1024;

struct Exchange {
  double total_s = 0;    // in which the link is busy
  double exposed_s = 0;  // after the backward pass
};
/// Gradients, in the order in which they are complete, are joined to buckets and summed one bucket after the other,
/// each as soon as it is full; `halves`: 2 for a sum that all devices get, 1 where each device gets its part only.
/// Without `overlaps` all of it comes after the backward pass, which ends at `computed_s`.
Exchange exchange_of(std::span<const ReadyGradient>, double computed_s, const LinkFigures&, double devices, int halves,
                     bool overlaps);

}  // namespace nw::scaling
