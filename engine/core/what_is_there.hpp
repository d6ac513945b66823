// SPDX-License-Identifier: Apache-2.0
// Sentences about a path that is not what is needed: they name it as it was given, and say what is there instead.
#pragma once
#include "engine/core/files.hpp"

namespace nw {

/// Why `path` is not a file that can be read or replaced: "out is not a file: it is a folder". Links are followed.
Text not_a_file(const fs::path& path);
/// Why `path` is not a folder: nothing is there, or a file, or a link that leads nowhere.
Text not_a_folder(const fs::path& path);
/// Errc::bad_input: `path` is not a folder, or one that this user may not read.
Status check_folder(const fs::path& path);

}  // namespace nw
