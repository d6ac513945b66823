// SPDX-License-Identifier: Apache-2.0
// Runs the AMX kernels' own machine code on a processor without AMX: each instruction it does not know is decoded from
// memory and done by the emulated unit. So a wrong tile number, size, stride or operand order in them shows.
#pragma once
#include <cstdint>

namespace nw::test {

/// While it lives, this process's threads may use AMX. One at a time.
class TileTrap {
 public:
  TileTrap();
  ~TileTrap();
  /// False: this is no processor whose instructions are known here, or one that cannot run the rest of those kernels'
  /// code.
  static bool possible();
  /// Instructions done so far, all threads together.
  static std::int64_t count();
};

}  // namespace nw::test
