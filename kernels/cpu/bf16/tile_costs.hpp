// SPDX-License-Identifier: Apache-2.0
// Costs of work with tiles, in cycles, for choosing an implementation. From published figures of Sapphire Rapids (a
// product of whole tiles every 16 cycles, 64 bytes loaded in each) and 2.0 to 2.7 TFLOP/s measured on one core; the
// passes around them as AVX-512 does them.
#pragma once
#include <algorithm>

#include "kernels/cpu/support/kernels.hpp"

namespace nw::cpu {

constexpr double packed_row = 5;       // two numbers of 16 samples, rounded and paired
constexpr double turned_tile = 110;    // 16 rows of pairs turned so that samples are what is summed over
constexpr double packed_weight = 3;    // two weights into their tile, from anywhere
constexpr double turned_weight = 0.6;  // the same of a matrix whose columns become rows
constexpr double weight_in_row = 0.5;  // where they lie side by side
constexpr double ended_row = 3;        // 16 sums from a tile to where they belong
constexpr double rounded_row = 4;      // of the step that rounds where there are no tiles: read, written
constexpr double far_rounded_row = 8;  // the same of images that no second cache holds
// 16 sums through the first cache to a pool, where they are not pooled on their way
constexpr double pooled_row = 10;

/// One product for each tile of outputs, beside a quarter more loads than products. Four wait for each other for 52
/// cycles.
inline double tile_step(std::int64_t outs, std::int64_t rows) {
  const std::int64_t tiles = (outs + tile_rows - 1) / tile_rows;
  return 1.25 * static_cast<double>(std::max<std::int64_t>({std::min(outs, tile_rows), std::min(rows, tile_rows), 13}) *
                                    tiles);
}

}  // namespace nw::cpu
