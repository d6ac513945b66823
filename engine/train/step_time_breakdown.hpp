// SPDX-License-Identifier: Apache-2.0
// The time of a training step by its parts, the diagnosis of the bottleneck, and recommendations.
#pragma once
#include <chrono>
#include <optional>

#include "engine/data/batches/input_times.hpp"
#include "engine/runs/events.hpp"

namespace nw {

enum class Bound : std::uint8_t { input, compute, reduce, processor };  // processor: other programs use it
struct Recommendation {
  Text what;
  double gain = 0;  // upper bound of the gain in throughput, 0.27: 27 %; 0: unknown
};
struct StepDiagnosis {
  Bound bound = Bound::compute;
  Text sentence;                         // "Input-bound: images take 62 % of a step, most of it to transform them."
  std::vector<Recommendation> remedies;  // the most promising first
};
/// The diagnosis of the measurements, used by the window and the command line.
StepDiagnosis diagnose_step(const StepSplit&);
/// "input-bound", "compute-bound", "reduce-bound", "processor-bound": in events and scripts.
const char* name_of(Bound);
/// Combines the measurements of two parts of a run.
StepSplit joined(const StepSplit&, const StepSplit&);

/// Measures one in eight steps, or groups of steps executed at once, and reports at intervals.
class StepSplitter {
 public:
  // of all devices; own_memory: GPUs, which compute while the host prepares images
  struct Place {
    int threads = 1;
    bool own_memory = false;
  };
  explicit StepSplitter(Place place) : place_(place) {}
  /// The sums to which the sources of images add; valid for the lifetime of this object.
  InputTimes* input() { return &input_; }
  /// Called before and after a step or a group of steps executed at once. `reduce_s`: seconds of gradient exchange so
  /// far.
  void begin(double reduce_s);
  void end(std::int64_t steps, double reduce_s, std::int64_t last);
  /// The measurements since the last call; nullopt if they are too few and `all` is false.
  std::optional<StepSplit> take(bool all = false);

 private:
  using Clock = std::chrono::steady_clock;
  const Place place_;
  InputTimes input_;
  StepSplit sum_;  // seconds of all `count` steps together
  Clock::time_point begin_, last_report_ = Clock::now(), born_ = last_report_;
  double reduce_before_ = 0, processor_before_ = 0;
  std::int64_t turn_ = 0;
  bool measuring_ = false;
};

}  // namespace nw
