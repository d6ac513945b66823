// SPDX-License-Identifier: Apache-2.0
// Chooses among the kernels compiled for several processors: the best that can run, or
// NETWRIGHT_CPU=portable|avx2|avx512|avx512bf16|amx. For tests there is amx-emulated: the tile kernels on a unit in
// software, which is never chosen automatically.
#pragma once
#include "kernels/cpu/processor/candidate.hpp"

namespace nw::cpu {

/// The instruction set of this process, determined by the processor and NETWRIGHT_CPU.
InstructionSet choose_instruction_set();

}  // namespace nw::cpu
