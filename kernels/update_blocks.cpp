// SPDX-License-Identifier: Apache-2.0
#include "kernels/update_blocks.hpp"

#include <algorithm>

namespace nw {

std::vector<WeightSpan> update_blocks(const std::vector<WeightSpan>& spans, Blocks form,
                                      const std::set<std::int64_t>& without) {
  std::vector<WeightSpan> runs;
  for (const WeightSpan& s : spans) {
    if (s.lr_scale == 0 || without.contains(s.offset)) continue;
    WeightSpan* last = runs.empty() ? nullptr : &runs.back();
    const bool joins = form == Blocks::joined && last && (last->offset + last->count + 15) / 16 * 16 == s.offset &&
                       same_rules(*last, s);
    if (joins)
      last->count = s.offset + s.count - last->offset;
    else
      runs.push_back(s);
  }
  std::vector<WeightSpan> blocks;
  for (const WeightSpan& r : runs)
    for (std::int64_t at = 0; at < r.count; at += update_block_elements)
      blocks.push_back({r.offset + at, std::min(update_block_elements, r.count - at), r.decay, r.lr_scale});
  return blocks;
}

}  // namespace nw
