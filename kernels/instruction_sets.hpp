// SPDX-License-Identifier: Apache-2.0
// The instruction sets for which the CPU backend has kernels, as NETWRIGHT_CPU names them.
#pragma once
#include <string>
#include <vector>

namespace nw {

struct InstructionSetInfo {
  std::string name;     // "avx512bf16"
  bool usable = false;  // this processor has it
  bool used = false;    // by this process
};
/// The best first, without those that only tests use. Any thread.
std::vector<InstructionSetInfo> cpu_instruction_sets();

}  // namespace nw
