// SPDX-License-Identifier: Apache-2.0
// NVIDIA's libraries as one executable uses them: a handle each, and what was prepared, so that equal layers share it.
#pragma once
#include <map>

#include "kernels/cuda/cudnn_graph.hpp"
#include "kernels/cuda/matmul.hpp"
#include "kernels/cuda/plan_cache.hpp"

namespace nw::cuda {

class Engines {
 public:
  /// Opens what the border has. What cannot be opened is missing from here on; the reason is told by notes().
  Engines(std::string device, int ordinal, DriverStream stream);
  ~Engines();
  Engines(const Engines&) = delete;
  Engines& operator=(const Engines&) = delete;

  /// Null: cuBLASLt is not there or has no such product.
  std::shared_ptr<PreparedProduct> product(const Product&);
  /// Null: cuDNN is not there or has no implementation of this graph. It runs on the stream that this was made with.
  std::shared_ptr<CudnnPlan> plan(const Graph&);
  Status enqueue(const CudnnPlan&, const std::vector<void*>& addresses, void* workspace) const;
  /// What a failed call means: the step ends.
  Error failed(const char* library, int status) const;
  /// What people should know of the choice made: which libraries compute, or why they do not.
  std::vector<std::string> notes() const;

 private:
  std::string device_;
  void *cublas_lt_ = nullptr, *cudnn_ = nullptr;
  std::map<Product, std::shared_ptr<PreparedProduct>> products_;
  std::map<std::string, std::shared_ptr<CudnnPlan>> plans_;  // by the graph's line
  PlanCache cache_;
  std::vector<std::string> notes_;
};

}  // namespace nw::cuda
