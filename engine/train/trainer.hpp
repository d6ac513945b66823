// SPDX-License-Identifier: Apache-2.0
// One run from start to end: compile, prepare, train, evaluate, save, report. Used by netwright-cli train and resume,
// bench and the tests. Blocks the caller; other threads control it.
#pragma once
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/runs/events.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {

/// The only object that other threads may write to during a run.
class TrainControl {
 public:
  void pause() { paused_ = true; }
  void unpause() {
    paused_ = false;
    try_again_ = true;
  }
  void stop(bool now) {
    stop_ = now ? 2 : 1;
    paused_ = false;
  }  // now: without a last checkpoint
  void checkpoint() { checkpoint_ = true; }
  /// The same as stop(false), but the run ends with exit code 128 + signal. May be called from a signal handler.
  void stop_for_signal(int signal) {
    signal_ = signal;
    stop(false);
  }
  void set_learning_rate(double lr) { learning_rate_ = lr; }  // < 0: back to the schedule
  /// Another run-time setting (engine/train/knobs.hpp), from the next step on.
  void set_knob(std::string name, double value) {
    const std::scoped_lock lock(mutex_);
    knobs_.emplace_back(std::move(name), value);
    knobs_asked_ = true;
  }
  bool knobs_asked() const { return knobs_asked_; }
  std::vector<std::pair<std::string, double>> take_requested_settings() {
    const std::scoped_lock lock(mutex_);
    knobs_asked_ = false;
    return std::exchange(knobs_, {});
  }
  bool paused() const { return paused_; }
  /// Whether unpause() was called since this was last asked: a run that waits for something to be mended tries at once.
  bool take_try_again() { return try_again_.exchange(false); }
  int stopping() const { return stop_; }  // 0, 1, 2
  bool checkpoint_asked() const { return checkpoint_; }
  bool take_checkpoint() { return checkpoint_.exchange(false); }
  double learning_rate() const { return learning_rate_; }  // < 0: as scheduled
  int signal() const { return signal_; }                   // 0: none

 private:
  std::atomic<bool> paused_{false}, try_again_{false}, checkpoint_{false}, knobs_asked_{false};
  std::atomic<int> stop_{0}, signal_{0};
  std::atomic<double> learning_rate_{-1};
  std::mutex mutex_;
  std::vector<std::pair<std::string, double>> knobs_;
};

inline constexpr std::int64_t most_epochs = 1'000'000;  // as in TrainSettings

class ProcessGroup;

struct TrainRequest {
  RunDefinition definition;
  fs::path weights;                // safetensors file to begin with; empty: initial weights
  std::string weights_sha256;      // of that file; empty: not checked
  std::vector<std::string> fresh;  // layers that begin anew although that file holds weights of their names
  std::vector<Knob> replay;        // changes of run-time settings, in the order of their steps
  fs::path run;                    // folder; empty: nothing is written (bench, tests)
  bool resume = false;             // continue from the latest checkpoint
  fs::path resume_from;            // resume, with an empty `run`: the folder that is read; nothing is written
  // the processes that train the network together; null: this one alone. All have the same request, but only the first
  // has a folder. Outlives the training.
  ProcessGroup* processes = nullptr;
  const fs::path& source() const { return resume_from.empty() ? run : resume_from; }
  bool other_data = false;           // resume, of a branch: on other data than its parent's, which are measured anew
  std::vector<std::string> devices;  // resume: replace the definition's devices; empty: use the definition's
  // resume: train until this many epochs are done in all, also if the run has finished; 0: as many as planned
  std::int64_t epochs = 0;
  // end with a checkpoint, as by TrainControl::stop(false), once this many epochs are done in all, unless they are the
  // last; 0: never. The schedule is that of all epochs, so a later resume gives the bytes of a run without a break.
  std::int64_t stop_after = 0;
  std::string backend = "cpu";  // "reference" in tests
  bool allow_synthetic = true;
  // number of tracked samples (probes.bin); a resumed run keeps its samples
  std::int64_t probes = 32;
  bool profile = false;  // writes profile.json, the time of each kernel; slows training
  std::int64_t statistics_steps =
      -1;  // steps between records of statistics.jsonl, plus one per epoch; 0: never; -1: < 1 % of the time
  // A full or failing disk, lack of memory, or data that is gone pauses the run until it is mended; after this time the
  // run ends.
  double disk_wait_s = std::numeric_limits<double>::infinity();
};

struct TrainResult {
  Ended ended;
  double best_accuracy = -1;
  std::int64_t steps = 0;
  double first_step_s = 0;  // compile, prepare and the first step; the data is already open
};

/// Runs to the end and posts exactly one Ended event to the sink. The error is also in Ended::why and its exit code.
/// With a folder it holds the folder's lock, writes the files of a run folder (docs/architecture.md), and serves the
/// run's control socket. Errc::in_use, with nothing written: another process holds the lock.
Result<TrainResult> train(TrainRequest, TrainControl&, EventSink&);

}  // namespace nw
