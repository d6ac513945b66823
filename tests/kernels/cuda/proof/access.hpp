// SPDX-License-Identifier: Apache-2.0
// Every access to memory of the kernels in metered_kernels.cpp, which are compiled with -fsanitize=thread: the compiler
// then calls a function for each load and store of memory that others could see, and access_hooks.cpp has these
// functions in place of the sanitizer's library. So the functors themselves are measured, not copies of them.
#pragma once
#include <cstddef>

namespace nw::proof {

struct Access {
  const std::byte* at;
  std::size_t bytes;
  bool writes;
  const void* site;  // the instruction
};
/// Receives the accesses of one thread of the computer.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void access(const Access&) = 0;
};
/// Replaces this thread's listener and returns the previous one; null: none.
Listener* listen(Listener*);

}  // namespace nw::proof
