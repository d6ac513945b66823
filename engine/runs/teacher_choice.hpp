// SPDX-License-Identifier: Apache-2.0
// A run as another network's teacher.
#pragma once
#include "engine/core/files.hpp"
#include "engine/design/distillation.hpp"

namespace nw {

/// The file of a checkpoint's weights.
fs::path weights_file(const Distillation&);
/// The digest of that file. Errc::bad_input, Errc::disk: it cannot be read.
Result<std::string> digest_of(const Distillation&);
/// The run's best checkpoint as a teacher, named by its digest. Reads all of its weights. Errc::bad_input: the run has
/// none.
Result<Distillation> teacher_of(const fs::path& run);

}  // namespace nw
