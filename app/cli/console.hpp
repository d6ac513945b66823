// SPDX-License-Identifier: Apache-2.0
// Output of a run to the console: a progress bar if stderr is a terminal, else one line per epoch.
#pragma once
#include <atomic>
#include <string>

#include "app/cli/cli.hpp"
#include "engine/train/step_time_breakdown.hpp"

namespace nw::cli {

class Console final : public EventSink {
 public:
  /// `control`: of a run that this process trains; if the reader of stdout closes the pipe, the run stops with a
  /// checkpoint, as after SIGPIPE. Null (watching): the process ends.
  explicit Console(const TrainOutput&, TrainControl* control = nullptr);
  void post(const Event&) override;      // one call at a time
  bool began() const { return began_; }  // the run got as far as its first step; any thread
  /// `code`; if that is 0 and results could not be printed (other than EPIPE), the exit code of Errc::disk.
  int exit_code(int code) const;

 private:
  std::string measured(double value) const;
  void show(const Started&);
  void show(const Steps&);
  void show(const EpochEnd&);
  void show(const Health&);
  void show(const Knob&);
  void show(const Saved&);
  void show(const LayerStatistics&);
  void show(const PipelinePlan&);
  void show(const PipelineTimes&);
  void show(const Resumed&);
  void show(const Paused&);
  void show(const Continued&);
  void show(const Ended&);
  void show(const DeviceSample&) {}
  void show(const RankTimes&);
  void show(const StepSplit&);
  void say(const std::string& sentence);
  void result(const std::string& line);
  void clear_bar();
  void print_split();

  const TrainOutput output_;
  TrainControl* const control_;
  int lost_ = 0;  // errno of the line that could not be printed
  const bool bar_, colour_;
  bool bar_shown_ = false;
  std::atomic<bool> began_{false};
  Started started_;
  StepSplit split_;        // of the whole run so far
  double train_rate_ = 0;  // throughput, smoothed for the remaining time
};

}  // namespace nw::cli
