// SPDX-License-Identifier: Apache-2.0
// The tile kernels on the products of bfloat16 that AVX-512 BF16 has.
#include <utility>

#include "kernels/cpu/tiles/bf16_support.hpp"
#include "kernels/cpu/tiles/bf16_unit.hpp"
#include "kernels/cpu/tiles/tile_outer.hpp"

namespace nw::cpu::avx512bf16 {
namespace {

/// Two instructions a cycle, of which four fifths are reached; sums are read and written.
double product_cycles(i64 outs, i64 rows) {
  return static_cast<double>(outs * least(rows, tile_rows)) * 0.5 / 0.8 + static_cast<double>(tiles_of(outs)) * 24;
}

}  // namespace

const TileKernels& tile_kernels() {
  static constexpr TileKernels table{"avx512bf16",      product<Bf16Unit>,     gradient<Bf16Unit>,
                                     outer<Bf16Unit>,   correlation<Bf16Unit>, shard<Bf16Unit>,
                                     Bf16Unit::release, product_cycles,        bf16_support};
  return table;
}

}  // namespace nw::cpu::avx512bf16
