// SPDX-License-Identifier: Apache-2.0
// Sums over the GPUs of a run by NCCL, on a separate stream, so that they overlap with computation.
#pragma once
#include <functional>

#include "kernels/api.hpp"
#include "kernels/cuda/gpu.hpp"

namespace nw::cuda {

/// A range of weight gradients that is reduced at once, in elements, and the step of the plan that computes the last of
/// them.
struct Bucket {
  std::int64_t begin = 0, count = 0;
  int ready = -1;
};
/// Divides the flat region into contiguous buckets of whole gradients, in order. `grads`: offset and ready step of
/// every gradient.
std::vector<Bucket> make_buckets(std::vector<Bucket> grads);

class NcclReducer {
 public:
  /// Connects to the other ranks: all of them call this at the same time, each on its thread. Null: NCCL is missing.
  /// `drop_graphs` is called before NCCL's communicator is aborted: it destroys all graphs that contain sums, without
  /// which the abort waits for ever (NCCL 2.26 and later).
  static Result<std::unique_ptr<NcclReducer>> make(Communicator&, std::shared_ptr<Gpu>,
                                                   std::function<void()> drop_graphs);
  ~NcclReducer();
  NcclReducer(const NcclReducer&) = delete;
  NcclReducer& operator=(const NcclReducer&) = delete;

  /// Sums, in place, what `stream` has computed so far, without blocking it. `type` is NCCL's number of the type.
  Status begin(void* device, std::int64_t count, int type, DriverStream stream);
  /// Makes work that is enqueued on `stream` after this call wait for all sums begun so far.
  Status join(DriverStream stream);
  /// Waits for the stream; stops if another rank has aborted or NCCL reports that one is lost. `doing`: called if the
  /// device failed.
  Status wait(DriverStream stream, const std::function<std::string()>& doing);
  /// Tells the other ranks that this GPU has failed, and leaves NCCL's communicator to the end of the process: aborting
  /// it could wait for ever for a GPU that does not work.
  void leave();

 private:
  NcclReducer(Communicator& c, std::shared_ptr<Gpu> gpu, std::function<void()> drop_graphs)
      : communicator_(c), gpu_(std::move(gpu)), drop_graphs_(std::move(drop_graphs)) {}
  Status meet();
  Status get_ready(NcclId&);
  Status check(int code) const { return gpu_->check(code, "exchanging gradients"); }
  Status check_nccl(int code) const;
  void abort();

  Communicator& communicator_;
  std::shared_ptr<Gpu> gpu_;
  const std::function<void()> drop_graphs_;
  NcclComm comm_ = nullptr;
  DriverStream side_ = nullptr;
  DriverEvent made_ = nullptr, summed_ = nullptr;
};

}  // namespace nw::cuda
