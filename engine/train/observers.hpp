// SPDX-License-Identifier: Apache-2.0
// Measurements of a running training that do not change it: layer statistics, and predictions of tracked samples.
// Private to engine/train.
#pragma once
#include <memory>
#include <optional>

#include "engine/train/layer_recorder.hpp"
#include "engine/train/run_report.hpp"
#include "engine/train/tracked_samples.hpp"

namespace nw {

class Observers {
 public:
  /// Both arguments must outlive the observers. The state's network must be ready.
  Observers(TrainingState& state, RunReport& report);
  /// Opens the tracked samples if there is a run folder. Called after the weights are set.
  Status open_tracked_samples();

  /// The number of steps, at most `wanted`, that may be executed at once now, with `left` steps left in this epoch: a
  /// measurement needs the state at the end of a step.
  std::int64_t steps_at_once(std::int64_t wanted, std::int64_t left) const;
  /// Called before and after `count` training steps. `skipped`: the last one did not update the weights.
  void before_steps(std::int64_t count);
  void after_steps(bool skipped);
  /// Called before the state's network is replaced; not between before_steps() and after_steps().
  void forget_network();
  /// Posts a failed measurement, once, after the next steps or at the end of the run: if the device is lost, the steps
  /// report that themselves.
  void post_failure();

  /// Whether the tracked samples are predicted after this step.
  bool probes_are_due() const;
  /// Predicts the tracked samples if due (read_due_probes) or always (read_probes). A full disk is a warning, posted
  /// once.
  Status read_due_probes();
  Status read_probes();

 private:
  bool statistics_due() const;
  Result<LayerStatistics> measure_layers(std::int64_t step, double epoch);

  TrainingState& state_;
  RunReport& report_;
  std::unique_ptr<LayerRecorder> layers_;   // null: not requested, or no longer possible
  bool measuring_ = false;                  // the current steps are measured
  std::optional<Text> failure_;             // until it is posted
  std::unique_ptr<TrackedSamples> probes_;  // null: none
  bool full_disk_posted_ = false;
};

}  // namespace nw
