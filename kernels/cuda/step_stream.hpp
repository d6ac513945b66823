// SPDX-License-Identifier: Apache-2.0
// The stream of one executable, and how far the step on it has got: for messages of errors and for the watchdog.
#pragma once
#include "kernels/cuda/executable_memory.hpp"
#include "kernels/cuda/step_launches.hpp"
#include "kernels/cuda/watchdog.hpp"

namespace nw::cuda {

/// After most faults nothing of a device can be read any more, so launches write marks, and steps their records, to
/// memory of the host; place() and reached() read these. One thread uses an object, except for place(), which the
/// watchdog's thread calls.
class StepStream {
 public:
  /// `plan` outlives the object.
  StepStream(const Plan& plan, std::shared_ptr<Gpu> gpu, bool profile)
      : plan_(plan), profile_(profile), gpu_(std::move(gpu)) {}
  /// Makes the stream. The GPU must be the thread's.
  Status open();
  /// Destroys the sums over replicas. Graphs that hold the sums must be gone.
  void drop_reducer() { reducer_.reset(); }
  /// Destroys the stream.
  void drop();
  /// Sums over replicas by NCCL where there is NCCL. All ranks call this at the same time.
  Status reduce_with(Communicator&);
  /// The buffers with the marks and the records of steps.
  void watch(const StepBuffers& at) { at_ = at; }
  /// Numbers the launches and chooses those that write marks.
  void mark_launches(StepLaunches&);

  DriverStream handle() const { return stream_; }
  Gpu& gpu() const { return *gpu_; }
  NcclReducer* reducer() const { return reducer_.get(); }  // null: one device, or sums through host memory
  /// The label of a step of the plan; empty for -1.
  std::string label_of(int step) const { return step < 0 ? "" : plan_.steps[static_cast<std::size_t>(step)].label; }

  /// What the executable does now: "step 12", "preparing conv1".
  const std::string& doing() const { return doing_; }
  void set_doing(std::string doing) { doing_ = std::move(doing); }
  /// The steps that are about to run; none of them has left its record or a mark.
  void begin(std::span<const StepArgs> steps);
  std::size_t last_line() const { return last_line_; }  // of the record of the newest step

  /// The error of a driver call while the executable enqueues or prepares.
  Status check(int code) const { return gpu_->check(code, doing_); }
  /// The error of a driver call that may report a fault of an earlier launch.
  Status check_reached(int code) const { return code == 0 ? Status() : gpu_->check(code, reached()); }
  /// Waits until all that was enqueued has run.
  Status wait();
  /// For the watchdog: `patience` times the usual; `for_others`: other ranks are waited for too.
  WatchedCall waiting(double patience, bool for_others = false) const;

 private:
  std::string place() const;
  std::string reached() const;

  const Plan& plan_;
  const bool profile_;
  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<NcclReducer> reducer_;
  DriverStream stream_ = nullptr;
  StepBuffers at_;
  std::size_t last_line_ = 0;
  std::vector<int> step_of_launch_;  // over all parts
  std::vector<std::int32_t> marks_;  // the launches that write a mark
  std::string doing_ = "preparing";
};

}  // namespace nw::cuda
