// SPDX-License-Identifier: Apache-2.0
// Which layers each stage of a pipeline computes, if the document does not say.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace nw {

/// A layer in the order of computation.
struct LayerLoad {
  double cost = 0;                  // of one sample, forward and backward, in any unit
  std::int64_t memory_bytes = 0;    // weights with their gradients and states, and what a micro-batch keeps of it
  std::int64_t crossing_bytes = 0;  // of values that layers up to this one compute and later ones read
};

/// Divides the layers into `stages` runs such that the most expensive one costs the least; among equally good divisions
/// that with the fewest bytes between the stages. No stage needs more than `limit_bytes`, if that is possible. Returns
/// the first layer of each stage, the first of which is 0; empty: fewer layers than stages have a cost.
std::vector<std::size_t> balanced_stages(std::span<const LayerLoad> layers, std::size_t stages,
                                         std::int64_t limit_bytes);

}  // namespace nw
