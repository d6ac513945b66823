// SPDX-License-Identifier: Apache-2.0
// Brings the inputs of a step (StepInputs) to the memory where they are read.
#pragma once
#include <span>
#include <vector>

#include "kernels/api.hpp"

namespace nw {

/// Writes input `v` of a plan to `area`, which has the size of the value in host layout. Each worker of the team writes
/// a part of the images. Labels or targets that `inputs` does not have, and inputs of other names, are unchanged.
/// Error: an image cannot be read.
Status fill_input(const StepInputs& inputs, const Value& v, Team& team, std::span<std::byte> area);

/// Writes images, labels and targets of the plan through Executable::write(): the step then runs without
/// StepArgs::inputs, and its inputs can be read afterwards. Labels or targets that `inputs` does not have become zero.
Status write_inputs(const StepInputs& inputs, const Plan& plan, Team& team, Executable& to);

/// The number of each byte, (channels, 256).
std::vector<float> pixel_table(std::span<const PixelScale> channels);

}  // namespace nw
