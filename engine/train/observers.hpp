// SPDX-License-Identifier: Apache-2.0
// Readings of a running training that change nothing of it: statistics of its layers, and probe images. Private to
// engine/train.
#pragma once
#include <memory>
#include <optional>

#include "engine/train/layer_recorder.hpp"
#include "engine/train/run_report.hpp"
#include "engine/train/tracked_samples.hpp"

namespace nw {

class Observers {
 public:
  /// Both outlive the observers. The state's network is ready.
  Observers(TrainingState& state, RunReport& report);
  /// Probe images, where there is a run folder. Once the weights are there.
  Status open_tracked_samples();

  /// How many of up to `wanted` steps may be run at once from here, `left` of them in this epoch: readings need the end
  /// of a step.
  std::int64_t steps_at_once(std::int64_t wanted, std::int64_t left) const;
  /// Around `count` training steps. `skipped`: the last one did not update the weights.
  void before_steps(std::int64_t count);
  void after_steps(bool skipped);
  /// A failed reading is posted once, after the next steps or here at the end: steps on a device that is gone report
  /// that themselves.
  void post_failure();

  /// Reads the probe images where that is due, or in any case. A full disk is a warning, posted once.
  Status read_due_probes();
  Status read_probes();

 private:
  bool statistics_due() const;

  TrainingState& state_;
  RunReport& report_;
  std::unique_ptr<LayerRecorder> layers_;   // null: not wanted, or no longer possible
  bool measuring_ = false;                  // around these steps
  std::optional<Text> failure_;             // until it is posted
  std::unique_ptr<TrackedSamples> probes_;  // null: none
  bool full_disk_posted_ = false;
};

}  // namespace nw
