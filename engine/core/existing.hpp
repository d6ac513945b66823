// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/core/files.hpp"

namespace nw {

/// Errc::usage: something is at `path`, a link that leads nowhere too, and the user did not say that it may be replaced
/// (`force`). Commands ask before they compute what is to be written there.
Status refuse_existing(const fs::path& path, bool force);

}  // namespace nw
