// SPDX-License-Identifier: Apache-2.0
// What others ask of a training while it goes on: pause, stop, a checkpoint, another learning rate. Private to
// engine/train.
#pragma once
#include <string>
#include <string_view>

#include "engine/train/checkpoint_saver.hpp"

namespace nw {

class RunCommands {
 public:
  /// All outlive the commands.
  RunCommands(TrainingState& state, RunReport& report, CheckpointSaver& saver)
      : state_(state), report_(report), saver_(saver) {}
  /// Answers one line of the control socket. Any thread.
  std::string answer(std::string_view line);
  /// Follows what was asked for, and waits while the training is paused. Before every step; `between_steps`: of
  /// training, so that a checkpoint may be taken (an evaluation belongs to its epoch). Errc::stopped: the training must
  /// stop.
  Status follow(bool between_steps);

 private:
  void take_learning_rate();
  void wait_while_paused();

  TrainingState& state_;
  RunReport& report_;
  CheckpointSaver& saver_;
  double requested_rate_ = -1;  // last seen in the control
};

}  // namespace nw
