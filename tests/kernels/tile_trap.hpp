// SPDX-License-Identifier: Apache-2.0
// Runs the machine code of the AMX kernels on a processor without AMX: each AMX instruction is decoded from memory and
// executed by the emulated unit. Tests therefore detect a wrong tile number, size, stride or operand order.
#pragma once
#include <cstdint>

namespace nw::test {

/// During its lifetime, this process's threads may use AMX instructions. At most one object at a time.
class TileTrap {
 public:
  TileTrap();
  ~TileTrap();
  /// False: the processor's architecture is not supported here, or the processor cannot run the rest of those kernels'
  /// code.
  static bool possible();
  /// The number of instructions emulated so far, over all threads.
  static std::int64_t count();
};

}  // namespace nw::test
