// SPDX-License-Identifier: Apache-2.0
// One training: its parts in the order of their construction. Private to engine/train and its tests.
#pragma once
#include <memory>
#include <optional>

#include "engine/backend/devices.hpp"
#include "engine/train/epoch_loop.hpp"
#include "engine/train/trainer.hpp"
#include "engine/train/training_data.hpp"

namespace nw {

/// Rejects (Errc::bad_input) a folder in which a name that a run writes to is a link or of the wrong type.
Status check_run_folder(const fs::path& run);

class Training {
 public:
  Training(TrainRequest, TrainControl&, EventSink&);
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;
  /// Prepares, in this order: lock, definition, control socket, data, devices, plan, weights, files.
  Status open();
  /// Trains all epochs; returns early if stopped. Where memory runs out, goes back to the last checkpoint once there is
  /// some again.
  Status loop();
  /// Posts the Ended event, once, and closes everything. `done`: the result of open() or loop().
  Result<TrainResult> end(const Status& done);
  /// All three: see train().
  Result<TrainResult> run();

 private:
  friend struct TrainingSeam;  // of tests
  Status open_folder();
  Status restore_progress();
  Status read_definition();
  Status choose_other_devices();
  void choose_own_devices();
  Status choose_other_epochs(const RunSummary& before);
  void report_other_epochs();
  Status open_data();
  Status plan_knobs();
  Status open_network();
  Status measure_pipeline();
  Status go_back();
  Status write_last_events(double wait_s);
  Status open_weights();
  Status restore_weights();
  void begin_epoch_anew();
  Status carry(const LoadedCheckpoint&);
  Status name_weights();
  Status take_weights();
  void compare_choices();
  Status open_report();
  Started started_event(const std::vector<ResolvedDevice>&) const;
  void show_on_board();
  void watch_machine();
  Ended ended_event(const Status& done) const;
  const TrainSettings& settings() const { return state_.settings(); }

  TrainingState state_;
  RunReport report_;
  Mending mending_{state_, report_};
  CheckpointSaver saver_{state_, report_, mending_};
  RunCommands commands_{state_, report_, saver_, mending_};
  std::optional<Observers> observers_;
  std::optional<EpochLoop> loop_;
  Started started_;
  GraphDoc doc_without_knobs_;                                // as the run was started, with other devices and epochs
  std::int64_t epochs_before_ = 0, extended_from_step_ = -1;  // of a resumed run
  std::int64_t images_before_ = 0;                            // trained on by earlier processes of this run
  TrainingState::Clock::time_point prepared_from_ = TrainingState::Clock::now();  // the data is already open
};

}  // namespace nw
