// SPDX-License-Identifier: Apache-2.0
// Finds the first layer whose numbers are not finite. Only used after a loss that is not finite, so it may take the
// time of a step and additional memory.
#pragma once
#include <string>

#include "kernels/api.hpp"

namespace nw {

/// The same plan with separate memory for every value, so that all can be read after the step.
Plan keep_every_value(Plan, const Device&);
/// The first value in step order that is not finite: "conv2 (conv2d)", "the images"; empty: all are finite. Checks the
/// first `valid` samples.
std::string first_not_finite(const Plan&, const Executable&, std::int64_t valid);

}  // namespace nw
