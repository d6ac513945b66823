// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which a network is read out: by the outline, and by screen readers on the canvas.
#pragma once
#include <vector>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

/// Producers before consumers; among independent nodes by position (left, then above).
std::vector<NodeId> readingOrder(const Graph& graph);

}  // namespace nw::ui
