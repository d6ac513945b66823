// SPDX-License-Identifier: GPL-3.0-or-later
// Positions on the canvas that tests click on, in viewport coordinates; (-1, -1) when there is no such node.
#pragma once
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"

namespace nw::ui {

inline QPoint portPosition(const GraphView& view, NodeId id, bool output, int port = 0) {
  const NodeItem* item = view.graph().elements().node(id);
  return item ? view.mapFromScene(item->portPosition(output, port)) : QPoint(-1, -1);
}

/// The centre of the node's box.
inline QPoint nodePosition(const GraphView& view, NodeId id) {
  const NodeItem* item = view.graph().elements().node(id);
  return item ? view.mapFromScene(item->pos()) : QPoint(-1, -1);
}

/// The centre of its Fix button.
inline QPoint fixPosition(const GraphView& view, NodeId id) {
  const NodeItem* item = view.graph().elements().node(id);
  return item ? view.mapFromScene(item->partRect(NodeItem::Part::fix).center()) : QPoint(-1, -1);
}

}  // namespace nw::ui
