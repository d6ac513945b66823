// SPDX-License-Identifier: Apache-2.0
// Results that a compiled plan writes over an operand.
#pragma once
#include "kernels/api.hpp"

namespace nw {

/// Gives every such result its own value, so that each operand can be read after the step. The plan's memory must be
/// planned again; views keep sharing memory.
void write_nothing_in_place(Plan&);

}  // namespace nw
