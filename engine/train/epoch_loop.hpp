// SPDX-License-Identifier: Apache-2.0
// The loop of a training: next batch, step, report; after each epoch evaluation and checkpoint. Private to
// engine/train.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "engine/train/evaluator.hpp"
#include "engine/train/knob_changes.hpp"
#include "engine/train/observers.hpp"
#include "engine/train/profile.hpp"
#include "engine/train/rank_watch.hpp"
#include "engine/train/step_time_breakdown.hpp"
#include "engine/train/training_health.hpp"

namespace nw {

class EpochLoop {
 public:
  /// The objects that the loop uses; all must outlive it.
  struct Parts {
    TrainingState& state;
    RunReport& report;
    RunCommands& commands;
    CheckpointSaver& saver;
    Observers& observers;
    Mending& mending;
  };
  /// `device`: description of the device for the profile. The network must be ready.
  EpochLoop(Parts, std::string device);
  /// Trains all epochs, then evaluates the test split. Errc::stopped: a stop was requested.
  Status run();
  /// Reports and saves pending measurements. Must also be called after run() has failed.
  Status finish();
  const std::optional<SampleSums>& test() const { return test_; }
  /// The time at which the first step was completed; nullopt: no step was completed.
  const std::optional<TrainingState::Clock::time_point>& first_step_done() const { return first_step_done_; }

 private:
  Status stop_if_due();
  Status unfreeze_if_due();
  Status change_knobs();
  void make_batches();
  Status train_epoch();
  Status read_due_probes();
  Status train_one();
  Result<std::int64_t> train_at_once(std::int64_t count);  // the number of steps that were run
  Result<std::span<const BatchSamples>> next_batches(std::size_t count);
  void drop_batches(std::size_t count);
  Status take(const StepMetrics&, const BatchSamples&, const StepArgs&, double seconds);
  Status check_finite(const StepMetrics&, const BatchSamples&, const StepArgs&);
  Status finish_epoch();
  Status average_epoch();
  void report_not_finite(const SampleSums& validation);
  StepArgs step_args(std::int64_t ahead) const;
  void report_split(bool all);
  Status save_profile_so_far() const;

  Parts parts_;
  TrainingState& state_;
  Evaluator evaluator_;
  KnobChanges knobs_;
  StepSplitter splitter_;
  RankWatch ranks_;
  TrainingHealth health_;
  std::optional<Profile> profile_;
  const std::string device_;
  std::unique_ptr<Batches> batches_;
  std::vector<BatchSamples> burst_;  // of the next steps; the first `fetched_` are filled
  std::size_t fetched_ = 0;
  std::optional<double> train_variance_;  // see SampleSums
  std::optional<SampleSums> test_;
  bool reported_not_finite_ = false;
  std::optional<TrainingState::Clock::time_point> first_step_done_;
};

}  // namespace nw
