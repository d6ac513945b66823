// SPDX-License-Identifier: Apache-2.0
// How an executable brings the inputs of a step (StepInputs) to where they are read.
#pragma once
#include <span>
#include <vector>

#include "kernels/api.hpp"

namespace nw {

/// Writes input `v` of a plan to `area`, which has the size of the value in border layout. Images are made by all
/// workers of the team, a part each. Labels or targets that `inputs` does not have, and inputs of other names, are left
/// as they are. Error: an image cannot be made.
Status fill_input(const StepInputs& inputs, const Value& v, Team& team, std::span<std::byte> area);

/// Images, labels and targets of the plan, through Executable::write(): the step is then run without StepArgs::inputs,
/// and its inputs can be read afterwards. Labels or targets that `inputs` does not have become zero.
Status write_inputs(const StepInputs& inputs, const Plan& plan, Team& team, Executable& to);

/// The number of each byte, (channels, 256).
std::vector<float> pixel_table(std::span<const PixelScale> channels);

}  // namespace nw
