// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/instruction_set.hpp"

#include <cstdlib>

#include "kernels/cpu/tiles/tile_check.hpp"

namespace nw::cpu {
namespace {

VectorKernels with_tiles(const VectorKernels& vectors, const TileKernels& tiles) {
  VectorKernels both = vectors;
  both.tiles = &tiles;
  const TileSupport& own = tiles.support;
  if (own.pair_lanes) both.tile.pair_lanes = own.pair_lanes;
  if (own.weight_tile) both.tile.weight_tile = own.weight_tile;
  if (own.weight_rows) both.tile.weight_rows = own.weight_rows;
  if (own.pair_bytes) both.tile.pair_bytes = own.pair_bytes;
  if (own.sum_rounded) both.tile.sum_rounded = own.sum_rounded;
  if (own.pair_pooled) both.tile.pair_pooled = own.pair_pooled;
  return both;
}

#if defined(__x86_64__)
std::string amx_mismatch() {
  static const std::string doubt = tiles_mismatch(amx::tile_kernels());
  return doubt;
}

std::string bf16_missing() {
  return __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512vbmi") ? "" : "this processor has none";
}
#endif

std::vector<Candidate> candidates() {
  std::vector<Candidate> all = vector_candidates();
#if defined(__x86_64__)
  const std::string no_avx512 = all.front().missing;
  static const VectorKernels bf16_kernels = with_tiles(avx512::vector_kernels(), avx512bf16::tile_kernels());
  all.insert(all.begin(), {"avx512bf16", no_avx512.empty() ? bf16_missing() : no_avx512, &bf16_kernels});
  static const VectorKernels amx_kernels = with_tiles(avx512::vector_kernels(), amx::tile_kernels());
  all.insert(all.begin(), {"amx", no_avx512.empty() ? amx_missing() : no_avx512, &amx_kernels, amx_mismatch});
#endif
  static const VectorKernels emulated_kernels = with_tiles(best_vectors(), emulated::tile_kernels());
  all.push_back({"amx-emulated", "", &emulated_kernels});
  return all;
}

}  // namespace

InstructionSet choose_instruction_set() {
  static const std::vector<Candidate> all = candidates();
  const char* asked = std::getenv("NETWRIGHT_CPU");
  return choose(all, asked ? asked : "");
}

}  // namespace nw::cpu
