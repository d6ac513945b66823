// SPDX-License-Identifier: Apache-2.0
// All kernels of the plug-in, with every access to memory reported; see access.hpp.
#pragma once
#include <cstdint>
#include <span>

namespace nw::proof {

struct MeteredKernel {
  const char* name;
  int threads, phases;  // of a functor of blocks; 0: of elements
  std::size_t shared_bytes;
  /// Of elements: the functor is called for one index.
  void (*element)(const void* functor, std::int64_t index) = nullptr;
  /// Of blocks: the functor is called for one thread and one phase.
  void (*phase)(const void* functor, std::int64_t block, int thread, int phase, void* shared) = nullptr;
};
std::span<const MeteredKernel> metered_kernels();
/// The kernel with this name, which must be one of the plug-in's.
const MeteredKernel& metered_kernel(const char* name);

}  // namespace nw::proof
