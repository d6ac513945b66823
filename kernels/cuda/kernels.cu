// SPDX-License-Identifier: Apache-2.0
// Every functor as a kernel: a grid loops over the elements, or over the blocks. The first thread writes the mark that
// the launch has begun.
#include "kernels/cuda/blocks/list.hpp"
#include "kernels/cuda/grid.hpp"

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

struct ThisThread {
  __device__ unsigned block() const { return blockIdx.x; }
  __device__ unsigned blocks() const { return gridDim.x; }
  __device__ unsigned thread() const { return threadIdx.x; }
  __device__ unsigned threads() const { return blockDim.x; }
  __device__ void barrier() const { __syncthreads(); }
};

#define NW_ELEMENT_KERNEL(name, ...)                                                        \
  extern "C" __global__ void __launch_bounds__(block_threads, least_blocks_of<__VA_ARGS__>) \
      nw_##name(const __VA_ARGS__ f, const i64 count, const Mark mark) {                    \
    begin(mark);                                                                            \
    run_elements(f, count, ThisThread());                                                   \
  }
NW_CUDA_ELEMENTS(NW_ELEMENT_KERNEL)

#define NW_BLOCK_KERNEL(name, ...)                                                 \
  extern "C" __global__ void __launch_bounds__(__VA_ARGS__::threads, least_blocks) \
      nw_##name(const __VA_ARGS__ f, const i64 count, const Mark mark) {           \
    begin(mark);                                                                   \
    __shared__ typename __VA_ARGS__::Shared shared;                                \
    run_blocks(f, count, shared, ThisThread());                                    \
  }
NW_CUDA_BLOCKS(NW_BLOCK_KERNEL)

}  // namespace nw::cuda
