// SPDX-License-Identifier: GPL-3.0-or-later
// Starts, controls and finds runs. A run is a process of its own (netwright-cli train, own process group, nice 5,
// output to log.txt): it continues when the window closes, and the next window finds it.
#pragma once
#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "engine/runs/run_folder.hpp"

namespace nw::ui {

class Session;

/// A branch, as `netwright-cli branch` is asked for it.
struct BranchRequest {
  QString parent = {};                      // the folder of a run
  QString from = QStringLiteral("latest");  // a step, epoch3, latest or best
  QStringList settings = {};                // "learning_rate=0.001"
  QString devices = {};                     // "cuda:0,cuda:1"; empty: those of the parent
  std::optional<GraphDoc> project = {};     // another network, data and settings
};

class RunController : public QObject {
  Q_OBJECT
 public:
  enum class State { idle, starting, running, paused, stopping };
  explicit RunController(Session& session);
  ~RunController() override;
  State state() const { return state_; }
  QString folder() const { return folder_; }  // the run being trained or last trained from here
  /// Saves a snapshot of the document beside the run and starts the run. False: message() says why; while the data
  /// are being opened the run starts when they are.
  bool start();
  /// A start was asked for and waits for the data; stop() takes it back.
  bool isWaiting() const { return startAsked_; }
  void pause();
  void unpause();
  /// Another value of a run-time setting (engine/train/knobs.hpp) from the next step on; a refusal is reported.
  void change(const QString& setting, double value);
  void followSchedule();  // the learning rate is again that of the schedule
  void stop();            // finishes the step, keeps a checkpoint; of a start that waits: takes it back
  void stopNow();         // kills the process if it does not respond within a second
  /// A stopped, failed or interrupted run; with a device's name it resumes on that device. With `epochs` any run with a
  /// checkpoint is trained until so many epochs are done in all.
  bool resume(const QString& runFolder, const QString& device = {}, std::int64_t epochs = 0);
  /// A new run from a checkpoint of another one.
  bool branch(const BranchRequest& request);
  /// Follows a run that already trains (after the window was re-opened); the state is read from the folder.
  void attach(const QString& runFolder);
  /// The command line that does the same, to copy.
  QString commandLine() const;
  /// The command line that trains a run again with its changes of settings.
  static QString replayCommand(const QString& runFolder);
  /// Which netwright-cli to start; without it the one beside this program.
  void setProgram(const QString& path) { program_ = path; }
  /// Where new runs are made; without it runs_folder().
  void setRunsFolder(const QString& path) { runsFolder_ = path; }
  QString runsFolder() const { return runsFolder_; }
  qint64 processId() const;  // 0: unknown

 Q_SIGNALS:
  void changeRefused();  // of a run-time setting; message() says why
  void stateChanged();   // or isWaiting() did
  /// A start that waited for the data was taken back.
  void startTakenBack();
  /// This window started a run; not emitted when it only finds a run that already trains.
  void started(const QString& runFolder);
  /// A job that was submitted should go on from its last checkpoint, where it trained.
  void jobToResume(const QString& record);
  /// The process ended without an `ended` event. `canResume`: the run has a checkpoint.
  void endedUnexpectedly(const QString& sentence, bool canResume);

 private:
  struct Process;
  void setState(State state);
  void setWaiting(bool waiting);
  void takeBackStart();
  bool mayTrain();  // reports the reason for false through message()
  bool waitsForData();
  void dataArrived();
  bool isIdle();
  bool refuse(const Error& error);  // reports the error; returns false
  bool launch(const QStringList& arguments);
  Result<fs::path> saveSnapshot(const GraphDoc& doc, const fs::path& run, const std::string& name) const;
  void watch(const QString& runFolder);
  void followWatched();  // updates the state from the watched folder
  void control(const QString& command);
  /// `heard`: false: no process listened yet; the command is sent again until one does, or the process has ended.
  void controlAnswered(int generation, const QString& asked, const QString& why, bool heard);
  void killIfStill(int generation);
  void processExited();
  void finish(const std::optional<RunSummary>& summary);
  QString exitDescription(bool began, bool canResume) const;
  void tidyStart();
  QString logFile() const;

  Session& session_;
  State state_ = State::idle;
  bool startAsked_ = false;  // for the data, to start
  QString folder_, program_, runsFolder_;
  bool asking_ = false;  // a request has not been answered yet
  QString waiting_;      // the request after it; empty: none
  QStringList changes_;  // of run-time settings, sent in their order before it
  std::unique_ptr<Process> process_;
};

}  // namespace nw::ui
