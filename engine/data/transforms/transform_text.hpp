// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/design/transform.hpp"
#include "kernels/result.hpp"

namespace nw {

/// A transform as the command line spells it: "RandomRotation" or "RandomAffine:degrees=5,translate=0.1"; what is not
/// named has its default. Errors: usage, with the names there are.
Result<Transform> transform_from_text(std::string_view);

}  // namespace nw
