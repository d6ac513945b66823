// SPDX-License-Identifier: Apache-2.0
// Runs tests with the instruction set of another processor.
#pragma once
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "kernels/cpu/instruction_set.hpp"

namespace nw::test {

/// During its lifetime, plans are compiled and prepared as with NETWRIGHT_CPU=`name`; "": the processor's best.
class UseInstructionSet {
 public:
  explicit UseInstructionSet(const std::string& name) {
    if (const char* before = std::getenv("NETWRIGHT_CPU")) before_ = before;
    setenv("NETWRIGHT_CPU", name.c_str(), 1);
  }
  ~UseInstructionSet() {
    if (before_)
      setenv("NETWRIGHT_CPU", before_->c_str(), 1);
    else
      unsetenv("NETWRIGHT_CPU");
  }
  UseInstructionSet(const UseInstructionSet&) = delete;
  UseInstructionSet& operator=(const UseInstructionSet&) = delete;

 private:
  std::optional<std::string> before_;
};

/// Every value of NETWRIGHT_CPU. All of them run on a processor with AMX; "portable" and "amx-emulated" run on all.
inline const std::vector<std::string> all_instruction_sets = {"portable",   "avx2", "avx512",
                                                              "avx512bf16", "amx",  "amx-emulated"};

/// Whether this processor and its operating system support that instruction set.
inline bool runs_here(const std::string& instruction_set) {
  const UseInstructionSet use(instruction_set);
  return cpu::choose_instruction_set().name == instruction_set;
}

/// Those of `sets` that run here, in the same order.
inline std::vector<std::string> those_that_run_here(std::vector<std::string> sets = all_instruction_sets) {
  std::erase_if(sets, [](const std::string& set) { return !runs_here(set); });
  return sets;
}

/// The sets with tile kernels that run here: always the emulated unit, and the processor's own where it has some.
inline std::vector<std::string> tile_sets() { return those_that_run_here({"amx-emulated", "amx", "avx512bf16"}); }

}  // namespace nw::test
