// SPDX-License-Identifier: Apache-2.0
// Evaluates the network on a split, and determines the best epoch. Private to engine/train.
#pragma once
#include "engine/train/run_commands.hpp"

namespace nw {

/// The batches of `maker` on the network's devices, shuffled and augmented if `training`.
BatchSource batches_of(const TrainingState&, const BatchBuilder& maker, bool training);

class Evaluator {
 public:
  /// All arguments must outlive the evaluator.
  Evaluator(TrainingState& state, RunReport& report, RunCommands& commands)
      : state_(state), report_(report), commands_(commands) {}
  /// Evaluates the whole split, using running statistics. Errc::stopped: the training must stop.
  Result<SampleSums> evaluate(const BatchBuilder&);
  /// Whether the epoch just trained is the best so far by TrainSettings::monitor (of validation accuracies that are
  /// equal, by the loss); if so, it is recorded in the state, as is what early stopping and `plateau` look at.
  bool take_best(const EpochEnd&);
  /// Called between epochs. True if the last TrainSettings::early_stopping_epochs epochs did not improve the best
  /// result by more than TrainSettings::min_change.
  bool stops_early() const;

 private:
  Result<double> explained_variance(const BatchBuilder&);
  void judge_improvement(double figure, bool better);
  void judge_plateau(double figure);

  TrainingState& state_;
  RunReport& report_;
  RunCommands& commands_;
};

}  // namespace nw
