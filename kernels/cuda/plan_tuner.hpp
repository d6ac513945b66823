// SPDX-License-Identifier: Apache-2.0
// The fastest of several cuDNN implementations of a graph, measured on the device. Called while an executable is
// prepared, on its thread, with its context current.
#pragma once
#include <vector>

#include "kernels/cuda/cudnn_graph.hpp"
#include "kernels/cuda/driver_api.hpp"

namespace nw::cuda {

class PlanTuner {
 public:
  /// `handle`: cuDNN's, which enqueues on `stream`.
  PlanTuner(void* handle, DriverStream stream) : handle_(handle), stream_(stream) {}
  ~PlanTuner();
  PlanTuner(const PlanTuner&) = delete;
  PlanTuner& operator=(const PlanTuner&) = delete;

  /// The first of `plans`, unless another is faster by more than the measurements scatter; the times are stored in the
  /// plans. The first, without a time, if the device has no memory for the operands or any call fails.
  std::shared_ptr<CudnnPlan> fastest(const Graph&, const std::vector<std::shared_ptr<CudnnPlan>>& plans);

 private:
  bool make_room(std::int64_t bytes);
  void leave_room();
  bool measure(const Graph&, CudnnPlan&, double least);
  bool timed(const CudnnPlan&, const std::vector<void*>& addresses, void* workspace, int runs, double& ms) const;
  bool run(const CudnnPlan&, const std::vector<void*>& addresses, void* workspace, int times) const;

  void* handle_;
  DriverStream stream_;
  DriverEvent begin_ = nullptr, end_ = nullptr;
  DevicePointer room_ = 0;  // for operands and workspace, while a graph is measured
};

}  // namespace nw::cuda
