// SPDX-License-Identifier: Apache-2.0
// Every functor as a kernel: a grid loops over the elements, or over the blocks. The first thread writes the mark that
// the launch has begun.
#include "kernels/cuda/blocks/list.hpp"

namespace nw::cuda {

constexpr int least_blocks = 3;  // on a multiprocessor: 80 registers for each of 256 threads

/// Of functors of packs: 40 registers. They wait for memory alone and read 16 bytes at once, so that three quarters of
/// the threads that a multiprocessor can hold are enough. 0: the compiler decides.
template <class F>
constexpr int least_blocks_of = 0;
template <class Formula, class T>
constexpr int least_blocks_of<Map<Formula, T>> = 6;
template <class Formula, class T>
constexpr int least_blocks_of<MapGrad<Formula, T>> = 6;

__device__ inline void begin(const Mark& mark) {
  if (mark.at && blockIdx.x == 0 && threadIdx.x == 0) publish(mark.at, mark.number);
}

template <class F>
__device__ inline void run_blocks(const F& f, i64 count) {
  __shared__ typename F::Shared shared;
  for (i64 block = blockIdx.x; block < count; block += gridDim.x) {
    NW_UNROLL
    for (int phase = 0; phase < F::phases; ++phase) {
      f(block, static_cast<int>(threadIdx.x), phase, shared);
      if (F::phases > 1) __syncthreads();
    }
  }
}

#define NW_ELEMENT_KERNEL(name, ...)                                                                  \
  extern "C" __global__ void __launch_bounds__(block_threads, least_blocks_of<__VA_ARGS__>)           \
      nw_##name(const __VA_ARGS__ f, const i64 count, const Mark mark) {                              \
    begin(mark);                                                                                      \
    const i64 step = static_cast<i64>(gridDim.x) * blockDim.x;                                        \
    for (i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) f(i); \
  }
NW_CUDA_ELEMENTS(NW_ELEMENT_KERNEL)

#define NW_BLOCK_KERNEL(name, ...)                                                 \
  extern "C" __global__ void __launch_bounds__(__VA_ARGS__::threads, least_blocks) \
      nw_##name(const __VA_ARGS__ f, const i64 count, const Mark mark) {           \
    begin(mark);                                                                   \
    run_blocks(f, count);                                                          \
  }
NW_CUDA_BLOCKS(NW_BLOCK_KERNEL)

}  // namespace nw::cuda
