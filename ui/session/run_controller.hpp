// SPDX-License-Identifier: GPL-3.0-or-later
// Starts, controls and finds runs. A run is a process of its own (netwright-cli train, own process group, nice 5, output to
// log.txt): it goes on when the window closes, and the window finds it again.
#pragma once
#include <QObject>
#include <QString>

#include "engine/runs/run_folder.hpp"

namespace nw::ui {

class Session;

class RunController : public QObject {
  Q_OBJECT
 public:
  enum class State { idle, starting, running, paused, stopping };
  explicit RunController(Session& session);
  ~RunController() override;
  State state() const { return state_; }
  QString folder() const { return folder_; }        // the run being trained or last trained from here
  /// Saves a snapshot of the document beside the run and starts it; false: there are problems, message() says which.
  bool start();
  void pause();
  void unpause();
  void stop();                                      // finishes the step, keeps a checkpoint
  void stopNow();                                   // kills if it does not answer within a second
  bool resume(const QString& runFolder);            // a stopped, failed or interrupted run
  /// Follows a run that is already going on (after the window was re-opened); state comes from the folder.
  void attach(const QString& runFolder);
  /// The command line that does the same, to copy.
  QString commandLine() const;

 Q_SIGNALS:
  void stateChanged();
  void started(const QString& runFolder);
  /// The process ended without saying so: signal's name in words; resume is possible when there is a checkpoint.
  void died(const QString& sentence, bool canResume);

 private:
  struct Process;
  Session& session_;
  State state_ = State::idle;
  QString folder_;
  std::unique_ptr<Process> process_;
};

}  // namespace nw::ui
