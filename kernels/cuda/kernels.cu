// SPDX-License-Identifier: Apache-2.0
// Every element functor as a kernel: a grid loops over the indices. The first thread writes the mark that the launch
// has begun.
#include "kernels/cuda/elements/list.hpp"

namespace nw::cuda {

#define NW_ELEMENT_KERNEL(name, ...)                                                                  \
  extern "C" __global__ void __launch_bounds__(block_threads)                                         \
      nw_##name(const __VA_ARGS__ f, const i64 count, const Mark mark) {                              \
    if (mark.at && blockIdx.x == 0 && threadIdx.x == 0) publish(mark.at, mark.number);                \
    const i64 step = static_cast<i64>(gridDim.x) * blockDim.x;                                        \
    for (i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) f(i); \
  }
NW_CUDA_ELEMENTS(NW_ELEMENT_KERNEL)

}  // namespace nw::cuda
