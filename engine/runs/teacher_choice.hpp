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
/// Errc::bad_input: the run computes in 8 bits, which has no training step; the sentence names its parent.
Status refuse_int8(const Distillation&);
/// The run's best checkpoint as a teacher, named by its digest. Reads all of its weights. Errc::bad_input: the run has
/// none, or computes in 8 bits.
Result<Distillation> teacher_of(const fs::path& run);

}  // namespace nw
