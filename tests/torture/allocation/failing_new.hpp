// SPDX-License-Identifier: Apache-2.0
// This program's own operator new, one call of which fails when it is told to.
#pragma once
#include <cstddef>

namespace nw::test {

/// From now until stop_failing(), of this program's allocations the one with this number (1-based) fails; 0: none does.
/// Allocations of threads that called spare_this_thread() are not counted. `stacks`: see kept_without_excuse(); slow.
void start_failing(std::size_t at, bool stacks = false);
struct Allocations {
  std::size_t made = 0;
  bool failed = false;
  std::size_t kept = 0;  // blocks that were given out and not given back
};
Allocations stop_failing();
void spare_this_thread();
/// How many of the kept blocks were asked for neither by JSON's code nor by protobuf's: GCC 12 forgets the finished
/// elements of a list in braces when a later one throws, and protobuf's readers do not give back what they have when
/// one throws. Prints their call stacks, as offsets for addr2line. After stop_failing() with `stacks`.
std::size_t kept_without_excuse(bool print);
/// Whether the code of JSON's destructor was found: what it allocates is served by the reserve of memory.
bool knows_json_destructor();

}  // namespace nw::test
