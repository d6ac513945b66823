// SPDX-License-Identifier: Apache-2.0
// Runs a step launch by launch and measures times: the message of an error names the layer that failed.
#pragma once
#include "kernels/cuda/step_graphs.hpp"

namespace nw::cuda {

class StepProfiler {
 public:
  /// All arguments outlive the object.
  StepProfiler(const Plan& plan, StepStream& stream, StepGraphs& graphs)
      : plan_(plan), stream_(stream), graphs_(graphs) {}
  /// Makes the events. The GPU must be current on this thread.
  Status open();
  /// Destroys the events.
  void drop();
  /// Clears the times of the previous step.
  void begin() { times_.clear(); }
  /// Runs a part and waits for its end.
  Status run(const StepPart&, InputOrigin);
  /// Seconds of each step of the plan since begin().
  const std::vector<StepTime>& times() const { return times_; }

 private:
  Status time_launches(const std::vector<Launch>&);

  const Plan& plan_;
  StepStream& stream_;
  StepGraphs& graphs_;
  DriverEvent begun_ = nullptr, ended_ = nullptr;
  std::vector<StepTime> times_;
};

}  // namespace nw::cuda
