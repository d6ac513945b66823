// SPDX-License-Identifier: Apache-2.0
// Checkpoints of a running training, also on a disk that is full for a time. Private to engine/train.
#pragma once
#include "engine/train/mending.hpp"

namespace nw {

class CheckpointSaver {
 public:
  /// All arguments must outlive the saver.
  CheckpointSaver(TrainingState& state, RunReport& report, Mending& mending)
      : state_(state), report_(report), mending_(mending) {}
  /// Reads the progress of the newest readable checkpoint into the state; tensors follow by Replicas::restore().
  Status restore_progress();
  /// Whether the last checkpoint equals the present state.
  bool is_up_to_date() const { return saved_step_ == state_.progress.step; }
  /// Marks the last checkpoint as out of date: its state has changed although the step has not.
  void outdate() { saved_step_ = -1; }
  /// Saves a checkpoint; of several processes the first one does, and all call this, since each may hold a part of what
  /// is saved. If `best`, the run's pointer `best` then refers to it. Without a run folder nothing is saved.
  Status save(bool best);
  /// As save(); where that cannot be done now, the training pauses until it can (Mending).
  Status save_once_possible(bool best);

 private:
  Status check_folder_is_there() const;
  Status save_here(bool best);
  Status save_collected(bool best);

  TrainingState& state_;
  RunReport& report_;
  Mending& mending_;
  std::int64_t saved_step_ = -1;
};

}  // namespace nw
