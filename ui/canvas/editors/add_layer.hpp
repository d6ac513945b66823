// SPDX-License-Identifier: GPL-3.0-or-later
// The list of layers opened on a canvas; the chosen layer is added to the network.
#pragma once
#include <QString>
#include <functional>
#include <optional>

#include "ui/canvas/scene/graph_scene.hpp"

namespace nw::ui {

class AddList;
class GraphView;

/// Opens the list at that point and closes an open one. With `from`, the list offers only layers that fit this port and
/// connects the picked layer to it.
void openAddList(GraphView&, QPointF scene, std::optional<PortRef> from = {});
/// Opens the list below a node, layers that fit its output first; `add` is called with the picked layer's palette id.
void openAddListBelow(GraphView&, NodeId node, const std::function<void(const QString& id)>& add);
/// The list that is open; null: none.
AddList* openedAddList(const GraphView&);
void closeAddList(const GraphView&);

}  // namespace nw::ui
