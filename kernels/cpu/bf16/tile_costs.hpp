// SPDX-License-Identifier: Apache-2.0
// Costs of work with tiles, in cycles, for choosing an implementation. From published figures of Sapphire Rapids (a
// product of whole tiles every 16 cycles, 64 bytes loaded in each) and 2.0 to 2.7 TFLOP/s measured on one core; the
// passes before and after the products as with AVX-512.
#pragma once
#include <algorithm>

#include "kernels/cpu/support/kernels.hpp"

namespace nw::cpu {

constexpr double packed_row = 5;       // two numbers of 16 samples, rounded and interleaved
constexpr double turned_tile = 110;    // 16 rows of pairs transposed so that the sum runs over samples
constexpr double packed_weight = 3;    // two weights into their tile, from arbitrary addresses
constexpr double turned_weight = 0.6;  // the same for a matrix that is transposed
constexpr double weight_in_row = 0.5;  // the same where the weights are adjacent
constexpr double ended_row = 3;        // 16 sums from a tile to their destination
constexpr double rounded_row = 4;      // a round_bf16 step without tiles: one row read and written
constexpr double far_rounded_row = 8;  // the same for images larger than the L2 cache
// 16 sums through the L1 cache to a pool, where they are not pooled before they are stored
constexpr double pooled_row = 10;

/// Cycles of one product for each tile of outputs, with a quarter more loads than products. Four products wait for each
/// other for 52 cycles.
inline double tile_step(std::int64_t outs, std::int64_t rows) {
  const std::int64_t tiles = (outs + tile_rows - 1) / tile_rows;
  return 1.25 * static_cast<double>(std::max<std::int64_t>({std::min(outs, tile_rows), std::min(rows, tile_rows), 13}) *
                                    tiles);
}

}  // namespace nw::cpu
