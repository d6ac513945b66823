// SPDX-License-Identifier: Apache-2.0
// Tests that compute as another processor would.
#pragma once
#include <cstdlib>

namespace nw::test {

/// While it lives, plans are compiled and prepared as NETWRIGHT_CPU says.
class UseInstructionSet {
 public:
  explicit UseInstructionSet(const char* name) { setenv("NETWRIGHT_CPU", name, 1); }
  ~UseInstructionSet() { unsetenv("NETWRIGHT_CPU"); }
  UseInstructionSet(const UseInstructionSet&) = delete;
  UseInstructionSet& operator=(const UseInstructionSet&) = delete;
};

}  // namespace nw::test
