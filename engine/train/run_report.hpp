// SPDX-License-Identifier: Apache-2.0
// Reports a training: events to its sink and into the run folder, and the control socket. Private to engine/train.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "engine/backend/fatal_error_handler.hpp"
#include "engine/core/files.hpp"
#include "engine/runs/control_server.hpp"
#include "engine/train/recorder.hpp"
#include "engine/train/training_state.hpp"

namespace nw {

class RunReport {
 public:
  /// `state` and `sink` must outlive the report.
  RunReport(const TrainingState& state, EventSink& sink) : state_(state), sink_(sink) {}
  /// Holds the run's lock, if there is one, for the lifetime of this object. From now on a hung device is reported
  /// before the process ends.
  void hold(std::optional<FileLock> lock);
  /// Opens the control socket, if there is a folder. A socket that cannot be opened is a warning.
  Status open_control(ControlServer::Answer answer);
  /// Opens the files of the run folder, if there is one. Errc::disk and others: a file cannot be opened.
  Status open();
  bool is_open() const { return recorder_.has_value(); }
  /// A warning; posted once by post_warnings().
  void warn(Text note) { warnings_.push_back(std::move(note)); }
  void post_warnings();
  /// Posts an event; before the report is open only to the sink and, of a resumed run, to its log. The functions below
  /// are for an open report unless stated otherwise.
  void post(decltype(Event::what));
  Recorder& recorder() { return *recorder_; }
  /// For TensorBoard, where the run has a folder: the settings, and an image.
  void add_settings(const Json& settings);
  void add_image(const std::string& tag, std::int64_t step, const Image&);
  /// Whether the files hold less than was posted. Any thread, never waits.
  bool has_unwritten() const { return files_ && files_->has_unwritten(); }
  /// Writes what waits, and syncs it. Errc::disk: it cannot be written now.
  Status flush();
  /// Begins anew after the state has gone back to a checkpoint (or the start) within the process: removes the metrics
  /// after its step and posts Resumed.
  Status go_back();
  /// Adds the energy used to the last event and posts it. Called once, whether the report is open or not; only flush()
  /// may follow.
  void close(Ended&);
  /// Closes the control socket. Called before the object that answers is destroyed.
  void close_control() { server_.reset(); }

 private:
  void post_hung(const Error&);
  void post_unopened(decltype(Event::what));

  const TrainingState& state_;
  EventSink& sink_;
  std::optional<FileLock> lock_;
  std::unique_ptr<RunFiles> files_;
  std::optional<Recorder> recorder_;
  std::unique_ptr<ControlServer> server_;
  std::optional<FatalErrorHandler> fatal_error_handler_;  // last member: it uses all others
  std::vector<Text> warnings_;
};

}  // namespace nw
