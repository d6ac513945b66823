// SPDX-License-Identifier: Apache-2.0
// NVIDIA's libraries for one executable: one handle each, and prepared operations, which equal layers share.
#pragma once
#include <map>
#include <optional>

#include "kernels/cuda/cudnn_graph.hpp"
#include "kernels/cuda/matmul.hpp"
#include "kernels/cuda/plan_cache.hpp"
#include "kernels/cuda/plan_tuner.hpp"

namespace nw::cuda {

class Engines {
 public:
  /// Opens the libraries of the driver API. A library that cannot be opened is not used; notes() gives the reason.
  Engines(std::string device, int ordinal, DriverStream stream);
  ~Engines();
  Engines(const Engines&) = delete;
  Engines& operator=(const Engines&) = delete;

  /// Whether kernels of our own are preferred for small products (DriverApi::small_kernels).
  static bool uses_small_kernels() { return driver_api().small_kernels; }
  /// Null: cuBLASLt is missing or has no such product.
  std::shared_ptr<PreparedProduct> product(const Product&);
  /// Null: cuDNN is missing or has no implementation of this graph. Runs on the stream given at construction. Where
  /// choices are kept on disk, a new one is the fastest of several on this device, so that later runs make the same
  /// one; elsewhere it is cuDNN's first.
  std::shared_ptr<CudnnPlan> plan(const Graph&);
  Status enqueue(const CudnnPlan&, const std::vector<void*>& addresses, void* workspace) const;
  /// The error of a failed call, which ends the step.
  Error failed(const char* library, int status) const;
  /// Notes for the user: the libraries that compute, or why they are not used.
  std::vector<std::string> notes() const;

 private:
  std::shared_ptr<CudnnPlan> choose(const Graph&);

  std::string device_;
  void *cublas_lt_ = nullptr, *cudnn_ = nullptr;
  std::map<Product, std::shared_ptr<PreparedProduct>> products_;
  std::map<std::string, std::shared_ptr<CudnnPlan>> plans_;  // by the graph's line
  PlanCache cache_;
  std::optional<PlanTuner> tuner_;
  std::vector<std::string> notes_;
};

}  // namespace nw::cuda
