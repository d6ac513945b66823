// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include "engine/core/files.hpp"

namespace nw {

/// The process that holds a lock (FileLock) on `file`, from /proc/locks; 0: none, or not visible.
pid_t lock_holder(const fs::path& file);

}  // namespace nw
