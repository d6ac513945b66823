// SPDX-License-Identifier: GPL-3.0-or-later
// One run folder: events.jsonl is read on a worker thread, whole batches go to the GUI thread 30 times a second, and
// the values that charts need are stored. A live run and a finished run are read by the same code.
#pragma once
#include <QObject>
#include <QString>
#include <QVector>
#include <memory>
#include <vector>

#include "engine/runs/run_folder.hpp"

namespace nw::ui {

/// A growing curve, thinned to at most `capacity` points with minima and maxima kept. GUI thread.
/// Every point stands for `stride` added ones (the last for `filled` of them): x is their last, y their mean, low and
/// high their extremes. When it is full, neighbours are joined and the stride doubles, so the whole curve has one
/// resolution.
struct Series {
  QVector<double> x, y, low, high;
  void add(double xv, double yv, double lowv, double highv);
  void cutAfter(double xv);  // after a resume: later points are invalid
  void clear() { *this = {}; }
  static constexpr int capacity = 20000;
  int stride = 1, filled = 0;

 private:
  void halve();
};

/// The reader of one run folder, shared by all RunFeeds that follow the folder. GUI thread.
class FollowedRun : public QObject, public std::enable_shared_from_this<FollowedRun> {
  Q_OBJECT
 public:
  /// The one object that reads the folder, for as long as a pointer to it exists. With an empty folder: an object that
  /// reads nothing.
  static std::shared_ptr<FollowedRun> of(const QString& runFolder);
  ~FollowedRun() override;
  bool loaded() const { return loaded_; }  // the events present when the folder was opened have been read

  // the data read so far; x is in epochs (fractional)
  const Started& started() const { return started_; }
  const RunDefinition* definition() const { return definition_.get(); }
  QString givenName() const { return givenName_; }  // by the user; empty: none
  RunStatus status() const { return status_; }
  bool paused() const { return paused_; }
  const Series& loss() const { return loss_; }
  const Series& accuracy() const { return accuracy_; }
  const Series& learningRate() const { return learningRate_; }
  const Series& throughput() const { return throughput_; }
  const std::vector<EpochEnd>& epochs() const { return epochs_; }
  const std::vector<std::pair<double, DeviceSample>>& machine() const { return machine_; }  // seconds, last 10 minutes
  const std::vector<Event>& log() const { return log_; }                                    // all but steps and device
  // oldest first; thinned for a long run
  const std::vector<LayerStatistics>& statistics() const { return statistics_; }
  // malformed lines of the statistics file
  std::int64_t damagedStatistics() const { return damagedStatistics_; }
  const Steps& last() const { return last_; }
  const StepSplit& split() const { return split_; }  // the newest; count 0: none yet
  // of each device: the newest interval, and the newest whole epoch; without ranks: none yet
  const RankTimes& ranks() const { return ranks_; }
  const RankTimes& ranksOfEpoch() const { return ranksOfEpoch_; }
  /// Of a pipeline: the share of the devices' time in which they wait, predicted and of the newest epoch; below 0: not
  /// known.
  double predictedBubble() const { return predictedBubble_; }
  double bubble() const { return pipeline_.seconds > 0 ? pipeline_.bubble : -1; }
  const Ended* ended() const { return ended_ ? &*ended_ : nullptr; }
  double elapsedSeconds() const;                      // of all processes of the run together
  double processSeconds() const { return seconds_; }  // of the newest one; the clock of Event::t
  double secondsLeft() const;                         // < 0: not known

 Q_SIGNALS:
  void reset();              // earlier events became invalid
  void definitionArrived();  // the network is known: often later than the first events
  void nameChanged();
  void stepsArrived();
  void epochArrived();
  void machineArrived();
  void splitArrived();  // where a step's time goes
  void ranksArrived();  // what each device did
  void logArrived();
  void statisticsArrived();
  void statusChanged();  // running, paused, finished, stopped, failed, interrupted

 private:
  struct Worker;
  struct Batch;
  struct Changes {
    bool reset = false, steps = false, epoch = false, machine = false, log = false, split = false, statistics = false,
         ranks = false;
  };
  FollowedRun();
  void clear();
  void take(Batch& batch);
  void add(const Event& event, Changes& changes);
  void begin(const Started& started);
  void addSteps(const Steps& steps);
  void cutAfterStep(std::int64_t step);
  void remember(const Event& event);
  void addStatistics(const LayerStatistics& statistics);
  void updateStatus(bool alive, bool drained);
  bool pausedByLog() const;
  std::unique_ptr<RunDefinition> definition_;
  Started started_;
  QString givenName_;
  RunStatus status_ = RunStatus::interrupted;
  bool paused_ = false, loaded_ = false;
  double base_ = 0, seconds_ = 0;  // seconds of the processes before this one; of this one
  Series loss_, accuracy_, learningRate_, throughput_;
  std::vector<EpochEnd> epochs_;
  std::vector<std::pair<double, DeviceSample>> machine_;
  std::vector<Event> log_;
  std::vector<LayerStatistics> statistics_;
  std::int64_t damagedStatistics_ = 0;
  Steps last_;
  StepSplit split_;
  RankTimes ranks_, ranksOfEpoch_;
  double predictedBubble_ = -1;
  bool planned_ = false;  // a pipeline, since the last step: by a process whose `resumed` event comes after it
  PipelineTimes pipeline_;
  std::optional<Ended> ended_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace nw::ui
