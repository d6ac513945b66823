// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "engine/design/graph_doc.hpp"
#include "kernels/tensor.hpp"

namespace nw {

/// The images that the network's only Input expects, with N = 1; nullopt: it has none, or several.
std::optional<Shape> input_shape(const GraphDoc&);

}  // namespace nw
