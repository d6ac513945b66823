// SPDX-License-Identifier: Apache-2.0
// The kernels on the processor's tiles. Also compiled for AVX-512; defines nothing inline that other files use.
#include "kernels/cpu/tiles/amx_unit.hpp"
#include "kernels/cpu/tiles/bf16_support.hpp"
#include "kernels/cpu/tiles/tile_outer.hpp"

namespace nw::cpu::amx {
namespace {

constexpr TileKernels with(const TileSupport& support) {
  return {"amx",          product<AmxUnit>, gradient<AmxUnit>,  outer<AmxUnit>, correlation<AmxUnit>,
          shard<AmxUnit>, AmxUnit::release, amx_product_cycles, support};
}

}  // namespace

// A processor may have tiles but lack instructions for bfloat16 vectors or for permutations of bytes; the vector
// kernels then compute the same results.
const TileKernels& tile_kernels() {
  static constexpr TileKernels table = with(bf16_support), tiles_only = with({});
  return __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512vbmi") ? table : tiles_only;
}

}  // namespace nw::cpu::amx
