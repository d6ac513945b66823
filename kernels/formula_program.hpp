// SPDX-License-Identifier: Apache-2.0
// Programs of kernels/math/program.hpp as an attribute of a step.
#pragma once
#include "kernels/api.hpp"
#include "kernels/math/program.hpp"

namespace nw {

/// The value of the attribute "program" of the kernel `formula`.
StepAttr to_attribute(const math::Program&);
/// The program in it. What is not one becomes a program without instructions: registers, inputs and constants that an
/// instruction names are within their limits.
math::Program program_of(const StepAttrs&);

}  // namespace nw
