// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/instruction_set.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

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
std::string has(bool all) { return all ? "" : "this processor has none"; }

std::string amx_doubt() {
  static const std::string doubt = tiles_doubt(amx::tile_kernels());
  return doubt;
}

bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

// Best first; those without tiles.
std::vector<Candidate> vector_candidates() {
  std::vector<Candidate> all;
#if defined(__x86_64__)
  __builtin_cpu_init();
  all.push_back({"avx512", has(has_avx512()), &avx512::vector_kernels()});
  all.push_back(
      {"avx2", has(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")), &avx2::vector_kernels()});
#endif
  all.push_back({"portable", "", &portable::vector_kernels()});
  return all;
}

std::vector<Candidate> candidates() {
  std::vector<Candidate> all = vector_candidates();
#if defined(__x86_64__)
  static const VectorKernels amx_kernels = with_tiles(avx512::vector_kernels(), amx::tile_kernels());
  all.insert(all.begin(), {"amx", has_avx512() ? amx_missing() : has(false), &amx_kernels, amx_doubt});
#endif
  static const VectorKernels emulated_kernels = with_tiles(best_vectors(), emulated::tile_kernels());
  all.push_back({"amx-emulated", "", &emulated_kernels});
  return all;
}

}  // namespace

InstructionSet choose(const std::vector<Candidate>& all, const std::string& asked) {
  std::string doubts;
  const auto usable = [&](const Candidate& c) {
    if (!c.missing.empty()) return false;
    const std::string doubt = c.doubt ? c.doubt() : "";
    if (!doubt.empty()) doubts = fmt::format("{}: {}", c.name, doubt);
    return doubt.empty();
  };
  const auto named = std::find_if(all.begin(), all.end(), [&](const Candidate& c) { return c.name == asked; });
  if (named != all.end() && usable(*named)) return {named->name, named->kernels, ""};
  const Candidate& best = *std::find_if(all.begin(), all.end(), usable);
  InstructionSet set{best.name, best.kernels, ""};
  if (!doubts.empty())
    set.note = fmt::format("{}; using {}", doubts, best.name);
  else if (named != all.end())
    set.note = fmt::format("NETWRIGHT_CPU={}: {}, using {}", asked, named->missing, best.name);
  else if (!asked.empty())
    set.note = fmt::format("NETWRIGHT_CPU={}: not one of portable, avx2, avx512, amx, using {}", asked, best.name);
  return set;
}

InstructionSet choose_instruction_set() {
  static const std::vector<Candidate> all = candidates();
  const char* asked = std::getenv("NETWRIGHT_CPU");
  return choose(all, asked ? asked : "");
}

const VectorKernels& best_vectors() {
  static const VectorKernels* const best = choose(vector_candidates(), "").kernels;
  return *best;
}

}  // namespace nw::cpu
