// SPDX-License-Identifier: Apache-2.0
// The ways to compute that were compiled for several processors, and the choice among them. Tiles are no part of it.
#pragma once
#include <string>
#include <vector>

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
/// The vector kernels, the best first.
std::vector<Candidate> vector_candidates();
/// The best kernels without tiles.
const VectorKernels& best_vectors();

}  // namespace nw::cpu
