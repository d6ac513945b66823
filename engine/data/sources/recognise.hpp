// SPDX-License-Identifier: Apache-2.0
// Recognises the kind of a data set.
#pragma once
#include <optional>

#include "engine/core/files.hpp"
#include "engine/design/choice.hpp"

namespace nw {

/// The kind of the data set at a path, detected by file names there and below; nullopt if unknown. `preferred` takes
/// precedence if its files exist too. A few dozen file-system calls; no file is read.
std::optional<SourceKind> recognise(const fs::path& place, SourceKind preferred = SourceKind::synthetic);

}  // namespace nw
