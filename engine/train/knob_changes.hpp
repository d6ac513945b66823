// SPDX-License-Identifier: Apache-2.0
// Changes of run-time settings, as they are asked for or as a recipe has them. Private to engine/train.
#pragma once
#include "engine/train/observers.hpp"
#include "engine/train/run_commands.hpp"

namespace nw {

class KnobChanges {
 public:
  /// All arguments must outlive this object.
  KnobChanges(TrainingState&, RunReport&, CheckpointSaver&, Observers&, Mending&);
  struct Done {
    bool network = false;  // it was made anew, with the same weights and state
    bool batches = false;  // the updates of an epoch are divided in another way
  };
  /// Makes the changes that are due before the next step (TrainingState::knobs_to_come, and those that were asked for,
  /// which cancel later ones of the same setting), each recorded as an event. The number of batches that an
  /// update takes changes at the start of an epoch only. An error: the network could not be made again.
  Result<Done> apply();
  /// Steps that may be run before the next change of the recipe; at least 1.
  std::int64_t steps_until_due() const;

 private:
  bool is_due(const Knob&) const;
  void set_rate(const Knob&);
  Status change(const Knob&, Done&);
  Status remake(GraphDoc);

  TrainingState& state_;
  RunReport& report_;
  CheckpointSaver& saver_;
  Observers& observers_;
  Mending& mending_;
};

/// The document with the run-time settings of a checkpoint.
Status apply_runtime_settings(RunDefinition&, const Progress&);

}  // namespace nw
