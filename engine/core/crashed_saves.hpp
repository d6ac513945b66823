// SPDX-License-Identifier: Apache-2.0
// What saves that crashed or were ended have left.
#pragma once
#include "engine/core/files.hpp"

namespace nw {

/// Removes what AtomicFile had written when its process ended; what another process is saving stays.
void remove_crashed_saves(const fs::path& folder);

}  // namespace nw
