// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which a network is read out: by the outline, and by screen readers on the canvas.
#pragma once
#include <vector>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

/// Producers before consumers; what comes first in the drawing (left, then above) first.
std::vector<NodeId> readingOrder(const Graph& graph);

}  // namespace nw::ui
