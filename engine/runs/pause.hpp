// SPDX-License-Identifier: Apache-2.0
// Why a run waits, by its log: a run that pauses by itself posts the reason as an error of its health directly before
// `paused`, with the same step.
#pragma once
#include <optional>

#include "engine/runs/run_folder.hpp"

namespace nw {

struct Pause {
  std::int64_t step = 0;
  Text reason;  // what must be mended before the run goes on; empty: it was paused by a command
};

/// Follows the events of a log, in their order.
class PauseReader {
 public:
  void take(const Event&);
  /// nullopt: the run does not wait.
  const std::optional<Pause>& pause() const { return pause_; }

 private:
  std::optional<Pause> pause_;
  std::optional<Health> error_;  // the last one since the run began to train or went on
};

/// The pause of a run that a process trains; nullopt: it is not paused, does not run, or its log cannot be read.
std::optional<Pause> pause_of(const fs::path& run);

}  // namespace nw
