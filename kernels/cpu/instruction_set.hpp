// SPDX-License-Identifier: Apache-2.0
// Which of the kernels compiled for several processors run here: the best ones, or
// NETWRIGHT_CPU=portable|avx2|avx512|amx. For tests there is amx-emulated: the tile kernels on a unit in software,
// which no processor chooses by itself.
#pragma once
#include "kernels/cpu/processor/candidate.hpp"

namespace nw::cpu {

/// The instruction set of this process, by the processor and NETWRIGHT_CPU.
InstructionSet choose_instruction_set();

}  // namespace nw::cpu
