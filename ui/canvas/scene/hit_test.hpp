// SPDX-License-Identifier: GPL-3.0-or-later
// Finding the item at a point of the scene. Null or empty: there is none.
#pragma once
#include <QPointF>
#include <optional>

#include "ui/canvas/scene/port_ref.hpp"

namespace nw::ui {

class ConnectionItem;
class GraphScene;
class NodeItem;

/// The topmost node.
NodeItem* nodeAt(const GraphScene&, QPointF);
/// The nearest connection within `reach`; connections of the node `without` are ignored.
ConnectionItem* connectionAt(const GraphScene&, QPointF, qreal reach, NodeId without = 0);
/// The nearest port within `reach`.
std::optional<PortRef> portAt(const GraphScene&, QPointF, qreal reach);

}  // namespace nw::ui
