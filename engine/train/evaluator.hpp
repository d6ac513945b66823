// SPDX-License-Identifier: Apache-2.0
// Measures a training on a split, and keeps track of its best epoch. Private to engine/train.
#pragma once
#include "engine/train/run_commands.hpp"

namespace nw {

/// The batches of `maker` on the network's devices, shuffled and augmented where `training`.
BatchSource batches_of(const TrainingState&, const BatchBuilder& maker, bool training);

class Evaluator {
 public:
  /// All outlive the evaluator.
  Evaluator(TrainingState& state, RunReport& report, RunCommands& commands)
      : state_(state), report_(report), commands_(commands) {}
  /// The whole split, with running statistics. Errc::stopped: the training must stop.
  Result<SampleSums> evaluate(const BatchBuilder&);
  /// Whether the epoch that has just been trained is the best so far, by validation accuracy, then loss; it is
  /// remembered as such.
  bool take_best(const SampleSums& validation);
  /// Between epochs: the last TrainSettings::early_stopping_epochs epochs were no better.
  bool stops_early() const;

 private:
  TrainingState& state_;
  RunReport& report_;
  RunCommands& commands_;
};

}  // namespace nw
