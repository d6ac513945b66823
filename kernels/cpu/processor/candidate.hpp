// SPDX-License-Identifier: Apache-2.0
// Implementations compiled for several instruction sets, and the choice among them. Tiles are chosen elsewhere.
#pragma once
#include <string>
#include <vector>

#include "kernels/cpu/vector/vector_kernels.hpp"

namespace nw::cpu {

struct InstructionSet {
  std::string name;
  const VectorKernels* kernels = nullptr;
  std::string note;  // why it is neither the requested one nor the processor's best; empty otherwise
};

/// One implementation. `missing`: the requirement that this processor lacks, empty if it can run. `doubt`: called
/// before it is chosen; returns the failure of a self-check in words, empty if it passed; may be null.
struct Candidate {
  std::string name;
  std::string missing;
  const VectorKernels* kernels = nullptr;
  std::string (*doubt)() = nullptr;
};

/// The first of `all` that can run and passes its self-check, or the one requested by name. At least one must pass.
InstructionSet choose(const std::vector<Candidate>& all, const std::string& asked);
/// The vector kernels, the best first.
std::vector<Candidate> vector_candidates();
/// The best kernels without tiles.
const VectorKernels& best_vectors();

}  // namespace nw::cpu
