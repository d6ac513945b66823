// SPDX-License-Identifier: Apache-2.0
// The differences of two documents on the console.
#pragma once
#include "engine/core/json.hpp"
#include "engine/design/graph_diff.hpp"

namespace nw::cli {

Json diff_json(const GraphDiff&);
/// A line for each difference, to stdout; "no difference" if there is none.
void print_diff(const GraphDiff&);

}  // namespace nw::cli
