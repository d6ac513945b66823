// SPDX-License-Identifier: Apache-2.0
// The recipe of a run: its definition and the changes of run-time settings, each after its step.
#pragma once
#include "engine/train/trainer.hpp"

namespace nw {

/// A request that trains the same run again from the start, into a folder that the caller chooses. Errc::usage: the
/// run cannot be replayed from its own folder (a branch, one that was trained further).
Result<TrainRequest> replay_request(const fs::path& run);

}  // namespace nw
