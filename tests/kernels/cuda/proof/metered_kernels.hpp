// SPDX-License-Identifier: Apache-2.0
// All kernels of the plug-in, with every access to memory reported; see access.hpp.
#pragma once
#include <cstdint>
#include <span>

namespace nw::proof {

/// A thread of a launch, as kernels/cuda/grid.hpp asks for it.
struct GridThread {
  unsigned at_block, all_blocks, at_thread, all_threads;
  void (*wait)();  // until all threads of the block wait
  unsigned block() const { return at_block; }
  unsigned blocks() const { return all_blocks; }
  unsigned thread() const { return at_thread; }
  unsigned threads() const { return all_threads; }
  void barrier() const { wait(); }
};

struct MeteredKernel {
  const char* name;
  int threads, phases;  // of a functor of blocks; 0: of elements
  std::size_t shared_bytes;
  /// Of elements: the functor is called for one index.
  void (*element)(const void* functor, std::int64_t index) = nullptr;
  /// Of blocks: the functor is called for one thread and one phase.
  void (*phase)(const void* functor, std::int64_t block, int thread, int phase, void* shared) = nullptr;
  /// All that one thread of the device's kernel does, for `count` elements or blocks.
  void (*all)(const void* functor, std::int64_t count, const GridThread&, void* shared) = nullptr;
};
std::span<const MeteredKernel> metered_kernels();
/// The kernel with this name, which must be one of the plug-in's.
const MeteredKernel& metered_kernel(const char* name);

}  // namespace nw::proof
