// SPDX-License-Identifier: Apache-2.0
// The weights in the blocks over which norms are summed and updates are computed: the same for any number of threads
// and of replicas.
#pragma once
#include <set>
#include <vector>

#include "kernels/storage.hpp"

namespace nw {

inline constexpr std::int64_t update_block_elements = 8192;

/// Whether adjacent weights with the same rules may share a block, including the padding between them, which is zero.
enum class Blocks : std::uint8_t { joined, of_one_weight };

inline bool same_rules(const WeightSpan& a, const WeightSpan& b) {
  return a.decay == b.decay && a.lr_scale == b.lr_scale;
}

/// The learned (not frozen) weights in blocks. `spans`: ascending; `without`: offsets of weights to omit.
std::vector<WeightSpan> update_blocks(const std::vector<WeightSpan>& spans, Blocks form,
                                      const std::set<std::int64_t>& without = {});

}  // namespace nw
