// SPDX-License-Identifier: Apache-2.0
// Costs of the passes before and after the products of tiles, in cycles, for choosing an implementation; those of the
// products are TileKernels::product_cycles.
#pragma once
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

}  // namespace nw::cpu
