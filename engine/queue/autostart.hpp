// SPDX-License-Identifier: Apache-2.0
// An entry by the desktop's autostart specification (XDG), which goes on with a queue at the next login.
#pragma once
#include "engine/core/files.hpp"

namespace nw::queue {

/// Whether there is such an entry.
bool starts_at_login();
/// Writes the entry; `program`: netwright-cli. Errc::usage: the queue's folder cannot be written into one.
Status start_at_login(const fs::path& program, const fs::path& queue);
/// Removes it, if it is there.
Status do_not_start_at_login();

}  // namespace nw::queue
