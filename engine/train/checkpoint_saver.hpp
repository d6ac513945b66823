// SPDX-License-Identifier: Apache-2.0
// Checkpoints of a running training, also on a disk that is temporarily full. Private to engine/train.
#pragma once
#include "engine/train/run_report.hpp"

namespace nw {

class CheckpointSaver {
 public:
  /// Both arguments must outlive the saver.
  CheckpointSaver(TrainingState& state, RunReport& report) : state_(state), report_(report) {}
  /// Reads the progress of the newest readable checkpoint into the state; tensors follow by Replicas::restore().
  Status restore_progress();
  /// Whether the last checkpoint equals the present state.
  bool is_up_to_date() const { return saved_step_ == state_.progress.step; }
  /// Marks the last checkpoint as out of date: its state has changed although the step has not.
  void outdate() { saved_step_ = -1; }
  /// Saves a checkpoint. If `best`, the run's pointer `best` then refers to it. Without a run folder nothing is saved.
  Status save(bool best);
  /// As save(); on a full disk the training pauses until there is space, at most TrainRequest::disk_wait_s seconds.
  Status save_and_wait_for_disk_space(bool best);

 private:
  Status wait_for_disk_space(const Error&, bool best);

  TrainingState& state_;
  RunReport& report_;
  std::int64_t saved_step_ = -1;
};

}  // namespace nw
