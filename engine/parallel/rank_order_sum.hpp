// SPDX-License-Identifier: Apache-2.0
// Sums over ranks in the order of the ranks, so that all communicators give the same bytes.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace nw {

/// Elements from `begin` up to `end` of of_rank(0), of_rank(1), …: pointers to T, of which none overlaps another's.
/// take(sums, first, count) gets the sums of `count` elements from `first` on, piece by piece.
template <class T, class OfRank, class Take>
void sum_in_rank_order(int world, std::int64_t begin, std::int64_t end, const OfRank& of_rank, const Take& take) {
  constexpr std::int64_t piece = 1024;  // few enough to stay in the first cache
  T sums[piece];
  for (std::int64_t at = begin; at < end; at += piece) {
    const std::int64_t count = std::min(piece, end - at);
    std::copy_n(of_rank(0) + at, count, sums);
    for (int r = 1; r < world; ++r) {
      const T* const more = of_rank(r) + at;
      for (std::int64_t i = 0; i < count; ++i) sums[i] += more[i];
    }
    take(sums, at, count);
  }
}

}  // namespace nw
