// SPDX-License-Identifier: Apache-2.0
// What a run's folder holds: whether anything in it is worth keeping, and which of its files runs write.
#pragma once
#include <string>

#include "engine/core/files.hpp"

namespace nw {

/// False if the run ended before its first step: its events record no step, no epoch and no finished training, and it
/// has no checkpoint. Events that cannot be read count as a run.
bool run_began(const fs::path& run);
/// Whether a file of this name is written into run folders.
bool is_run_file(const std::string& name);
/// Removes the files of a run that never began, except its lock and its log. Files of other names stay.
void remove_unbegun(const fs::path& run);
/// The message of the event that ends such a run when the user stops it.
Text stopped_before_training();

}  // namespace nw
