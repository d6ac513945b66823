// SPDX-License-Identifier: GPL-3.0-or-later
// Automatic layout, top-down: layers by longest path, order by barycentres, columns that keep chains straight (after
// Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system structures", 1981). Pure.
#pragma once
#include <set>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

/// New positions for `nodes` (all when empty), and frames resized to their former content. Empty: nothing would move.
Edit layoutEdit(const GraphDoc&, const std::string& scope, const std::set<NodeId>& nodes = {});

}  // namespace nw::ui
