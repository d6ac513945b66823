// SPDX-License-Identifier: Apache-2.0
// Named ranges for NVIDIA's profilers (NVTX); they cost almost nothing if no profiler is attached.
#pragma once
#include <string>

#include "kernels/cuda/driver_api.hpp"

namespace nw::cuda {

/// A range from the constructor to the end of the block, on this thread.
class NamedRange {
 public:
  explicit NamedRange(const std::string& name) {
    if (driver_api().range_begin) driver_api().range_begin(name.c_str());
  }
  ~NamedRange() {
    if (driver_api().range_end) driver_api().range_end();
  }
  NamedRange(const NamedRange&) = delete;
  NamedRange& operator=(const NamedRange&) = delete;
};

}  // namespace nw::cuda
