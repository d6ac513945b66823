// SPDX-License-Identifier: Apache-2.0
// The files to which a run appends: events.jsonl, statistics.jsonl, metrics.bin, metrics.csv, events.out.tfevents.*. A
// full or failing disk loses nothing: what cannot be written waits in memory (Mending pauses the run meanwhile).
#pragma once
#include <atomic>
#include <mutex>
#include <optional>

#include "engine/runs/events.hpp"
#include "engine/train/loss_history.hpp"
#include "engine/train/queued_lines.hpp"
#include "engine/train/tensorboard.hpp"

namespace nw {

class RunFiles final : public EventSink {
 public:
  /// `from_step` > 0: a resumed run; metrics after that step are removed.
  static Result<std::unique_ptr<RunFiles>> open(const fs::path& run, std::int64_t from_step);
  void post(const Event&) override;
  void add_losses(std::span<const float>);
  /// For TensorBoard alone: the run's settings, and an image.
  void add_settings(const Json& settings);
  void add_image(const std::string& tag, std::int64_t step, const Image&);
  /// Whether something waits in memory because it could not be written. Any thread, never waits.
  bool has_unwritten() const { return has_unwritten_; }
  /// Writes what waits and syncs the events. Errc::disk: some of it still cannot be written.
  Status flush();

 private:
  RunFiles(const fs::path& run, LineFile events, LineFile csv, LossHistoryFile losses, TensorboardFile board);
  void note(const Status& written);
  void write_metrics(const Event&);
  void add_statistics(const LayerStatistics&, const std::string& line);
  void add_to_board(const std::string& event);
  void add_row(const Event&, std::int64_t step, double epoch, const std::vector<Scalar>&);

  std::atomic<bool> has_unwritten_{false};
  std::mutex mutex_;
  // guarded by mutex_
  QueuedLines events_, csv_, statistics_;
  LossHistoryFile losses_;
  TensorboardFile board_;
  double last_row_t_ = -1;
};

}  // namespace nw
