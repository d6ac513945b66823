// SPDX-License-Identifier: Apache-2.0
// The files to which a run appends: events.jsonl, statistics.jsonl, metrics.bin, metrics.csv, events.out.tfevents.*. A
// full disk loses no events: they are buffered in memory until there is space.
#pragma once
#include <deque>
#include <mutex>
#include <optional>

#include "engine/runs/events.hpp"
#include "engine/train/loss_history.hpp"
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
  /// Writes the buffered events and syncs the files. Errc::disk: there is still no space.
  Status flush();

 private:
  RunFiles(fs::path run, LineFile events, LineFile csv, LossHistoryFile losses, TensorboardFile board);
  void write_waiting();
  void write_metrics(const Event&);
  void add_statistics(const LayerStatistics&, const std::string& line);
  void add_to_board(const std::string& event);
  void add_row(const Event&, std::int64_t step, double epoch, const std::vector<Scalar>&);

  const fs::path run_;
  std::mutex mutex_;
  // guarded by mutex_
  LineFile events_, csv_;
  std::optional<LineFile> statistics_;  // opened for the first record
  LossHistoryFile losses_;
  TensorboardFile board_;
  std::deque<std::string> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::optional<Error> problem_;
  double last_row_t_ = -1;
};

}  // namespace nw
