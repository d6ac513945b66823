// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/design/transform.hpp"
#include "kernels/result.hpp"

namespace nw {

/// Parses a transform of the command line: "RandomRotation" or "RandomAffine:degrees=5,translate=0.1"; parameters that
/// are not named have their defaults. Errc::usage: unknown name (the message lists the known names) or a value
/// outside its limits.
Result<Transform> transform_from_text(std::string_view);

}  // namespace nw
