// SPDX-License-Identifier: Apache-2.0
// The stream of one executable and the progress of the step on it, for error messages and for the watchdog.
#pragma once
#include "kernels/cuda/executable_memory.hpp"
#include "kernels/cuda/step_launches.hpp"
#include "kernels/cuda/watchdog.hpp"
#include "kernels/state_shard.hpp"

namespace nw::cuda {

/// After most faults no memory of a device can be read, so launches write marks, and steps write their records, to host
/// memory; place() and reached() read these. Used by one thread, except for place(), which the watchdog's thread calls.
class StepStream {
 public:
  /// `plan` outlives the object.
  StepStream(const Plan& plan, std::shared_ptr<Gpu> gpu, bool profile)
      : plan_(plan), replicas_(replicas_of(plan)), profile_(profile), gpu_(std::move(gpu)) {}
  /// Makes the stream. The GPU must be current on this thread.
  Status open();
  /// Destroys the reducer. Graphs that contain its sums must have been destroyed.
  void drop_reducer() { reducer_.reset(); }
  /// After a failure of the GPU: see NcclReducer::leave().
  void leave_reducer() {
    if (reducer_) reducer_->leave();
  }
  /// Destroys the stream.
  void drop();
  /// Sets up sums over replicas by NCCL if NCCL is present. All ranks call this at the same time. The
  /// last two arguments: see NcclReducer::make.
  Status reduce_with(Communicator&, bool with_urgent, std::function<void()> drop_graphs);
  /// Sets the buffers that contain the marks and the records of steps.
  void watch(const StepBuffers& at) { at_ = at; }
  /// Numbers the launches and chooses those that write marks.
  void mark_launches(StepLaunches&);

  DriverStream handle() const { return stream_; }
  Gpu& gpu() const { return *gpu_; }
  NcclReducer* reducer() const { return reducer_.get(); }  // null: one device, or sums through host memory
  /// The label of a step of the plan; empty for -1.
  std::string label_of(int step) const { return step < 0 ? "" : plan_.steps[static_cast<std::size_t>(step)].label; }

  /// The current work of the executable: "step 12", "preparing conv1".
  const std::string& doing() const { return doing_; }
  void set_doing(std::string doing) { doing_ = std::move(doing); }
  /// Declares the steps that run next; their records and the mark are empty.
  void begin(std::span<const StepArgs> steps);
  /// Only the first `count` of the steps were run.
  void ended(std::size_t count) { last_line_ = count - 1; }
  std::size_t last_line() const { return last_line_; }  // index of the newest step's record

  /// The error of a driver call while the executable enqueues or prepares.
  Status check(int code) const { return gpu_->check(code, doing_); }
  /// The error of a driver call that may report a fault of an earlier launch.
  Status check_reached(int code) const { return code == 0 ? Status() : gpu_->check(code, reached()); }
  /// Makes the device current on this thread; an error is that of the step that was reached.
  Status enter() const { return check_reached(gpu_->enter()); }
  /// Waits until all enqueued work has ended.
  Status wait();
  /// A call for the watchdog: `patience` is a multiple of the watchdog timeout; `for_others`: it also waits for other
  /// ranks.
  WatchedCall waiting(double patience, bool for_others = false) const;

 private:
  std::size_t steps_ended() const;
  std::string place() const;
  std::string reached() const;

  const Plan& plan_;
  const int replicas_;
  const bool profile_;
  std::shared_ptr<Gpu> gpu_;
  const Communicator* peers_ = nullptr;  // null: one device
  std::unique_ptr<NcclReducer> reducer_;
  DriverStream stream_ = nullptr;
  StepBuffers at_;
  std::size_t last_line_ = 0;
  std::int64_t last_step_ = -1;      // of the call; -1: it is no training
  std::vector<int> step_of_launch_;  // over all parts
  std::vector<std::int32_t> marks_;  // the launches that write a mark
  std::string doing_ = "preparing";
};

}  // namespace nw::cuda
