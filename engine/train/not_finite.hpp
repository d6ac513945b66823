// SPDX-License-Identifier: Apache-2.0
// Finds the first layer with non-finite values. Only used after a non-finite loss, so it may take the time of a step
// and additional memory.
#pragma once
#include <string>

#include "kernels/api.hpp"

namespace nw {

/// The same plan with separate memory for every value, so that all values can be read after the step.
Plan keep_every_value(Plan, const Device&);
/// The first non-finite value in step order: "conv2 (conv2d)", "the images"; empty: all are finite. Checks the first
/// `valid` samples.
std::string first_not_finite(const Plan&, const Executable&, std::int64_t valid);

}  // namespace nw
