// SPDX-License-Identifier: Apache-2.0
// Data sets stored on a GPU: pixels and labels once, shared by all executables, whatever their transforms.
#pragma once
#include "kernels/api.hpp"
#include "kernels/cuda/elements/common.hpp"
#include "kernels/cuda/gpu.hpp"

namespace nw::cuda {

class CudaSamples final : public DeviceSamples {
 public:
  /// Stores the data set. Null: the device has too little memory for it beside a reserve, or the
  /// host cannot pin two chunks. The watchdog is paused while samples are read, which may come from a slow disk.
  static Result<std::shared_ptr<CudaSamples>> keep(const SampleSet&, Gpu&, DriverStream);
  const SampleSource& source() const { return source_; }

 private:
  Status upload_table(const SampleSet&, Gpu&, DriverStream);

  SampleSource source_{};
  std::shared_ptr<std::byte> pixels_, labels_, table_;
};

}  // namespace nw::cuda
