// SPDX-License-Identifier: Apache-2.0
// One run from start to end: compile, prepare, loop, evaluate, checkpoint, report. Used by netwright-cli train and resume, bench
// and the tests. Blocks its caller; control comes from other threads.
#pragma once
#include <atomic>
#include <memory>
#include <optional>

#include "engine/core/files.hpp"
#include "engine/runs/run_folder.hpp"
#include "engine/train/events.hpp"

namespace nw {

/// The only thing other threads may write while a run goes on.
class TrainControl {
 public:
  void pause() { paused_ = true; }
  void unpause() { paused_ = false; }
  void stop(bool now) { stop_ = now ? 2 : 1; paused_ = false; }   // now: without a last checkpoint
  void checkpoint() { checkpoint_ = true; }
  void set_learning_rate(double lr) { learning_rate_ = lr; }
  bool paused() const { return paused_; }
  int stopping() const { return stop_; }                          // 0, 1, 2
  bool take_checkpoint() { return checkpoint_.exchange(false); }
  double learning_rate() const { return learning_rate_; }         // < 0: as scheduled

 private:
  std::atomic<bool> paused_{false}, checkpoint_{false};
  std::atomic<int> stop_{0};
  std::atomic<double> learning_rate_{-1};
};

struct TrainRequest {
  RunDefinition definition;
  fs::path run;                       // folder; empty: nothing is written (bench, tests)
  bool resume = false;                // go on from the latest checkpoint
  std::string backend = "cpu";        // "reference" in tests
  bool allow_synthetic = true;
};

struct TrainResult {
  Ended ended;
  double best_accuracy = -1;
  std::int64_t steps = 0;
};

/// Runs to the end and says so exactly once to the sink. The error is also in Ended::why and its exit code.
Result<TrainResult> train(TrainRequest, TrainControl&, EventSink&);

}  // namespace nw
