// SPDX-License-Identifier: Apache-2.0
// Commands to a running training: pause, stop, write a checkpoint, change a run-time setting. Private to engine/train.
#pragma once
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "engine/train/checkpoint_saver.hpp"

namespace nw {

class RunCommands {
 public:
  /// All arguments must outlive this object.
  RunCommands(TrainingState& state, RunReport& report, CheckpointSaver& saver, Mending& mending)
      : state_(state), report_(report), saver_(saver), mending_(mending) {}
  /// Handles one line from the control socket and returns the response. May be called from any thread.
  std::string answer(std::string_view line);
  /// From now on run-time settings of this document may be changed.
  void allow_knobs(const GraphDoc&, const DataFacts&);
  /// Executes the requested commands, and waits while the training is paused or its files cannot be written. Called
  /// before every step.
  /// `between_steps`: between two training steps, where a checkpoint may be taken (not during an evaluation, which
  /// belongs to its epoch). Errc::stopped: the training must stop.
  Status follow(bool between_steps);
  /// Whether follow() has something to execute. May be called from any thread.
  bool is_due() const;

 private:
  std::string status() const;
  std::string set(const std::string& words);
  std::string set_rate(const std::string& word);
  Status set_knob(const std::string& name, double value);
  Status agree(bool between_steps, bool& checkpoint, int& stopping);
  void take_learning_rate();
  void wait_while_paused();

  TrainingState& state_;
  RunReport& report_;
  CheckpointSaver& saver_;
  Mending& mending_;
  double requested_rate_ = -1;  // most recent value in the control
  std::mutex mutex_;
  // guarded by mutex_: the document as it will be when all that was asked for is done
  std::optional<GraphDoc> doc_;
  DataFacts facts_;
};

}  // namespace nw
