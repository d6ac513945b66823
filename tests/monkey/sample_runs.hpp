// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/core/files.hpp"

namespace nw::ui {

/// Runs that finished, were stopped and failed, studies, and a queue that is paused, in `runs` and `queue`. `project`:
/// a file that trains in seconds; the studies and the queue go on with it.
void writeSampleRuns(const fs::path& runs, const fs::path& queue, const fs::path& project);

}  // namespace nw::ui
