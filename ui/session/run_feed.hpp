// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/session/followed_run.hpp"

namespace nw::ui {

/// Follows one run folder at a time. Feeds that follow the same folder share one FollowedRun, so the folder is read
/// once. GUI thread.
class RunFeed : public QObject {
  Q_OBJECT
 public:
  explicit RunFeed(QObject* parent = nullptr);
  /// Empty: follows no folder. For a folder that another feed follows, the data already read is announced; any other is
  /// read from its beginning.
  void follow(const QString& runFolder);
  QString folder() const { return folder_; }

  // See FollowedRun.
  bool loaded() const { return run_->loaded(); }
  const Started& started() const { return run_->started(); }
  QString title() const;  // the name that the user gave the run, or that of its folder; empty: no run
  const RunDefinition* definition() const { return run_->definition(); }
  RunStatus status() const { return run_->status(); }
  bool paused() const { return run_->paused(); }
  const Series& loss() const { return run_->loss(); }
  const Series& accuracy() const { return run_->accuracy(); }
  const Series& learningRate() const { return run_->learningRate(); }
  const Series& throughput() const { return run_->throughput(); }
  const std::vector<EpochEnd>& epochs() const { return run_->epochs(); }
  const std::vector<std::pair<double, DeviceSample>>& machine() const { return run_->machine(); }
  const std::vector<Event>& log() const { return run_->log(); }
  const std::vector<LayerStatistics>& statistics() const { return run_->statistics(); }
  std::int64_t damagedStatistics() const { return run_->damagedStatistics(); }
  const Steps& last() const { return run_->last(); }
  const StepSplit& split() const { return run_->split(); }
  const RankTimes& ranks() const { return run_->ranks(); }
  const RankTimes& ranksOfEpoch() const { return run_->ranksOfEpoch(); }
  double predictedBubble() const { return run_->predictedBubble(); }
  double bubble() const { return run_->bubble(); }
  const Ended* ended() const { return run_->ended(); }
  double elapsedSeconds() const { return run_->elapsedSeconds(); }
  double processSeconds() const { return run_->processSeconds(); }
  double secondsLeft() const { return run_->secondsLeft(); }

 Q_SIGNALS:
  void reset();              // another run, or earlier events became invalid
  void definitionArrived();  // the network is known: often later than the first events
  void nameChanged();        // title()
  void stepsArrived();
  void epochArrived();
  void machineArrived();
  void splitArrived();  // where a step's time goes
  void ranksArrived();  // what each device did
  void logArrived();
  void statisticsArrived();
  void statusChanged();  // running, paused, finished, stopped, failed, interrupted

 private:
  void relay();
  void announce();
  QString folder_;
  std::shared_ptr<FollowedRun> run_;  // never null
};

}  // namespace nw::ui
