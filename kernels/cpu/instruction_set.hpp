// SPDX-License-Identifier: Apache-2.0
// Which of the kernels compiled for several processors run here: the best ones, or
// NETWRIGHT_CPU=portable|avx2|avx512|amx. For tests there is amx-emulated: the tile kernels on a unit in software,
// which no processor chooses by itself.
#pragma once
#include <string>
#include <vector>

#include "kernels/cpu/tiles/tile_kernels.hpp"
#include "kernels/cpu/vector/vector_kernels.hpp"

namespace nw::cpu {

struct InstructionSet {
  std::string name;
  const VectorKernels* kernels = nullptr;
  std::string note;  // why it is not what was asked for, or not what the processor has; empty: it is
};

/// One way to compute. `missing`: what it lacks here, empty if it can run. `doubt`: asked for when it would be chosen,
/// says what is wrong with it, empty if nothing is; may be null.
struct Candidate {
  std::string name;
  std::string missing;
  const VectorKernels* kernels = nullptr;
  std::string (*doubt)() = nullptr;
};

/// The first of `all` that can run and is not in doubt, or the one that was asked for by name. One must be neither.
InstructionSet choose(const std::vector<Candidate>& all, const std::string& asked);
/// Of this process: of what the processor has and NETWRIGHT_CPU asks.
InstructionSet choose_instruction_set();
/// The best kernels without tiles.
const VectorKernels& best_vectors();

/// Empty: the processor has AMX for bfloat16 and the system lets this process use it, which is asked for the first time
/// this is called.
std::string amx_missing();
/// Empty: what `unit` makes of some products is what the emulated unit makes of them, bit for bit. Otherwise one
/// sentence.
std::string tiles_doubt(const TileKernels& unit);

}  // namespace nw::cpu
