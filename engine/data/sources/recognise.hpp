// SPDX-License-Identifier: Apache-2.0
// The kind of data at a place.
#pragma once
#include <optional>

#include "engine/core/files.hpp"
#include "engine/design/choice.hpp"

namespace nw {

/// What kind of data lies at a place, by names in it and below it; nothing where nothing is known. `preferred` wins
/// where its own files are there too. A few dozen look-ups on the disk, no file is read.
std::optional<SourceKind> recognise(const fs::path& place, SourceKind preferred = SourceKind::synthetic);

}  // namespace nw
