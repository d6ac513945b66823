// SPDX-License-Identifier: Apache-2.0
// The sums of a plan's weight gradients over replicas, begun while the backward pass computes others. Private to
// executor*.cpp.
#pragma once
#include <mutex>
#include <optional>

#include "kernels/executor.hpp"
#include "kernels/rank_communicator.hpp"
#include "kernels/step_timeline.hpp"

namespace nw {

class OverlappedSums {
 public:
  /// `step`: all_reduce or reduce_scatter of all gradients. `to_all`: each rank gets all sums, which a backend may want
  /// of both. All arguments outlive this object.
  OverlappedSums(const Plan&, const Step& step, bool to_all, const Storage&, RankCommunicator&);
  /// Whether the step is one of those.
  static bool sums_gradients(const Step&);
  void begin_step();
  /// The plan's steps up to this one are complete; -1: no more than before. Begins the sums of gradients that are
  /// complete and advances all without waiting. Any worker; returns at once if another one is here.
  void reached(int step);
  /// The kernel of the plan's step: waits for the sums, and sums the metrics.
  PreparedKernel kernel(RunState&);
  /// Of a step that ended just now.
  void end_step() { ended_ = StepClock::now(); }
  std::vector<StepSpan> timeline() const;

 private:
  struct Bucket {
    int ready = -1;
    std::vector<std::int64_t> bounds;
    StepClock::time_point begun, here;
  };
  struct Exchange {
    StepClock::time_point from, to;
  };
  bool finish(std::span<double> metrics);
  bool begin_through(int step);
  bool note_here(std::size_t count);

  RankCommunicator& ranks_;
  float* const gradients_;
  const bool to_all_;
  const int forward_steps_;           // of the plan: its first ones
  std::mutex mutex_;                  // of everything below, in a step
  std::vector<Bucket> buckets_;       // in the order in which they are ready
  std::size_t begun_ = 0, here_ = 0;  // of them, in this step
  std::vector<Exchange> exchanges_;   // in the backward pass
  // forward_end_: when its last segment was complete
  StepClock::time_point began_, forward_end_, backward_end_, summed_, ended_;
};

}  // namespace nw
