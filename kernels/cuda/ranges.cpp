// SPDX-License-Identifier: Apache-2.0
// NVTX is header-only and opens the profiler's library itself. In builds without the toolkit's headers there are no
// ranges.
#include "kernels/cuda/ranges.hpp"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define NW_NVTX 1
#endif

namespace nw::cuda {

void open_ranges(DriverApi& b) {
#if defined(NW_NVTX)
  b.range_begin = nvtxRangePushA;
  b.range_end = nvtxRangePop;
#else
  (void)b;
#endif
}

}  // namespace nw::cuda
