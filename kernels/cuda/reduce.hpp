// SPDX-License-Identifier: Apache-2.0
// Sums over the GPUs of a run by NCCL, on a separate stream, so that they overlap with computation; and the exchange of
// weights of which each GPU updates a part.
#pragma once
#include <array>
#include <functional>
#include <span>
#include <vector>

#include "kernels/api.hpp"
#include "kernels/cuda/gpu.hpp"

namespace nw::cuda {

/// The sums of a step that do not wait for each other: gradients, whose sum nothing waits for but the update, and what
/// the step waits for at once (statistics of batch norm over all devices).
enum class SumLane : std::size_t { gradients, urgent };

class NcclReducer {
 public:
  /// Connects to the other ranks: all of them call this at the same time, each on its thread. Null: NCCL is missing.
  /// `drop_graphs` is called before NCCL's communicator is aborted: it destroys all graphs that contain sums, without
  /// which the abort waits for ever (NCCL 2.26 and later).
  /// `with_urgent`: the lane `urgent` has a communicator and a stream of high priority of its own; otherwise it is not
  /// used.
  static Result<std::unique_ptr<NcclReducer>> make(Communicator&, std::shared_ptr<Gpu>, bool with_urgent,
                                                   std::function<void()> drop_graphs);
  ~NcclReducer();
  NcclReducer(const NcclReducer&) = delete;
  NcclReducer& operator=(const NcclReducer&) = delete;

  /// Sums, in place, what `stream` has computed so far, without blocking it. `type` is NCCL's number of the type.
  Status begin(SumLane, void* device, std::int64_t count, int type, DriverStream stream);
  /// Makes work that is enqueued on `stream` after this call wait for all sums of the lane begun so far.
  Status join(SumLane, DriverStream stream);
  /// Gives all ranks the elements of `device` from bounds[r] up to bounds[r + 1] that `stream` has computed on rank r.
  /// Work that is enqueued on `stream` after this call waits for them. `bounds`: ascending, the same on all ranks.
  Status gather(float* device, std::span<const std::int64_t> bounds, DriverStream stream);
  /// Waits for the stream; stops if another rank has aborted or NCCL reports that one is lost. `doing`: called if the
  /// device failed.
  Status wait(DriverStream stream, const std::function<std::string()>& doing);
  /// Tells the other ranks that this GPU has failed, and leaves NCCL's communicator to the end of the process: aborting
  /// it could wait for ever for a GPU that does not work.
  void leave();

 private:
  struct Lane {
    NcclComm comm = nullptr;
    DriverStream side = nullptr;
    DriverEvent made = nullptr, summed = nullptr;
  };
  static constexpr std::size_t most_lanes = 2;
  NcclReducer(Communicator& c, std::shared_ptr<Gpu> gpu, bool with_urgent, std::function<void()> drop_graphs)
      : communicator_(c), gpu_(std::move(gpu)), drop_graphs_(std::move(drop_graphs)), lanes_(with_urgent ? 2 : 1) {}
  Lane& lane(SumLane l) { return lanes_[static_cast<std::size_t>(l)]; }
  Status meet();
  Status follow(const Lane&, DriverStream stream);
  Status broadcast_parts(const Lane&, float* device, std::span<const std::int64_t> bounds);
  Status get_ready(std::array<NcclId, most_lanes>&);
  Status open(Lane&, bool urgent);
  Status connect(Lane&, const NcclId&);
  Status alive() const;
  Status check(int code) const { return gpu_->check(code, "exchanging gradients"); }
  Status check_nccl(int code) const;
  void abort();
  void abort_all();

  Communicator& communicator_;
  std::shared_ptr<Gpu> gpu_;
  const std::function<void()> drop_graphs_;
  std::vector<Lane> lanes_;  // by SumLane
};

}  // namespace nw::cuda
