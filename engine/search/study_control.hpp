// SPDX-License-Identifier: Apache-2.0
// Pauses the process of a study and lets it go on; it is another process, perhaps started by another program.
#pragma once
#include <csignal>

#include "engine/core/files.hpp"

namespace nw::search {

// What a study's process takes them for: its trials pause where they are, and go on.
inline constexpr int pause_signal = SIGUSR1, continue_signal = SIGUSR2;

/// Asks the process that works on the study; the journal has a record `held` once it has taken the request.
/// Errc::no_response: no process works on it, or it cannot be asked.
Status control_study(const fs::path& folder, bool pause);

}  // namespace nw::search
