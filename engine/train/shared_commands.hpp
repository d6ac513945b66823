// SPDX-License-Identifier: Apache-2.0
// Commands to a training of several processes: what the first one was asked for, all of them do before the same step.
// Private to engine/train.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "engine/parallel/process_group.hpp"

namespace nw {

struct SharedCommands {
  int stopping = 0, signal = 0;  // as in TrainControl; of any process
  // those of the first process
  bool checkpoint = false;
  double learning_rate = -1;
  std::vector<std::pair<std::string, double>> knobs;
};

/// All processes call this before a step with what they were asked for; returns what all do. An error: one is lost.
Result<SharedCommands> share_commands(ProcessGroup&, const SharedCommands& here);

}  // namespace nw
