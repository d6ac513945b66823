// SPDX-License-Identifier: Apache-2.0
// This program's own operator new, one call of which fails when it is told to.
#pragma once
#include <cstddef>

namespace nw::test {

/// From now until stop_failing(), of this program's allocations the one with this number (1-based) fails; 0: none does.
/// Allocations of threads that called spare_this_thread() are not counted.
void start_failing(std::size_t at);
struct Allocations {
  std::size_t made = 0;
  bool failed = false;
  std::size_t kept = 0;  // blocks that were given out and not given back
};
Allocations stop_failing();
void spare_this_thread();
/// With NETWRIGHT_KEPT=1: on stderr, from where the blocks were asked for that are kept, as offsets for addr2line.
void print_kept_blocks();
/// Whether the code of JSON's destructor was found: what it allocates is served by the reserve of memory.
bool knows_json_destructor();

}  // namespace nw::test
