// SPDX-License-Identifier: Apache-2.0
// Finds where a step's numbers stopped being finite. Only used once a run has gone wrong, so it may cost a step and
// memory.
#pragma once
#include <string>

#include "kernels/api.hpp"

namespace nw {

/// The same plan with a place of its own for every value, so that all can be read after the step.
Plan keep_every_value(Plan, const Device&);
/// In the order of the steps: "conv2 (conv2d)", "the images"; empty: everything is finite. Looks at `valid` samples.
std::string first_not_finite(const Plan&, const Executable&, std::int64_t valid);

}  // namespace nw
