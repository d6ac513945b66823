// SPDX-License-Identifier: Apache-2.0
// The recipe of a run: its definition and the changes of run-time settings, each after its step.
#pragma once
#include "engine/train/trainer.hpp"

namespace nw {

/// The changes of run-time settings in a run's log.
struct RecordedKnobs {
  std::vector<Knob> done;        // those that the weights depend on, in their order
  std::vector<Knob> taken_back;  // after a step that the run was resumed from, and not yet made again
  void take(const Knob&);
  void take_back(std::int64_t after_step);
};
/// Errc::bad_input and others: the log cannot be read.
Result<RecordedKnobs> recorded_knobs(const fs::path& run);

/// A request that trains the same run again from the start, into a folder that the caller chooses. Errc::usage: the
/// run cannot be replayed from its own folder (a branch, one that was trained further).
Result<TrainRequest> replay_request(const fs::path& run);

}  // namespace nw
