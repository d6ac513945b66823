// SPDX-License-Identifier: Apache-2.0
// How the launches of a step reach the device: captured once as graphs, or one by one.
#pragma once
#include "kernels/cuda/step_stream.hpp"

namespace nw::cuda {

/// Captures the parts of a step, and launches the graphs. Errors are those of the driver.
class StepGraphs {
 public:
  /// All arguments outlive the object.
  StepGraphs(StepStream& stream, StepLaunches& step, const StepBuffers& at) : stream_(stream), step_(step), at_(at) {}
  /// Captures the step over inputs copied from the host; `take`: the graph that moves the copies to the step's inputs.
  Status capture_copied(DriverGraphExec& take);
  /// Captures the step over stored samples, and many steps as one graph where possible. Later calls have no effect.
  Status capture_kept();
  /// capture_kept() has captured.
  bool has_kept() const { return kept_; }
  /// Destroys the graphs; nothing can be launched any more. Later calls have no effect.
  void drop();

  /// Launches the graph of a part.
  Status launch(std::size_t part, InputOrigin inputs);
  /// Launches `count` steps over stored samples; the step must have one part.
  Status launch_kept(std::size_t count);

  /// These enqueue, or capture: a launch; the graph that moves copies to inputs; the work before and after a part's
  /// launches.
  Status enqueue_launch(const Launch&);
  Status enqueue_take();
  Status enqueue_before(const StepPart&, InputOrigin);
  Status enqueue_after(const StepPart&);

 private:
  Status load_functions();
  Status capture(DriverGraphExec& made, const std::function<Status()>& enqueue);
  Status capture_parts(InputOrigin);
  Status capture_burst();
  Status enqueue(const StepPart&, InputOrigin);

  StepStream& stream_;
  StepLaunches& step_;
  const StepBuffers& at_;
  DriverGraphExec burst_graph_ = nullptr;  // burst_steps_ steps over stored samples
  std::size_t burst_steps_ = 1;
  bool kept_ = false;
};

}  // namespace nw::cuda
