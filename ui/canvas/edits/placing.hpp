// SPDX-License-Identifier: GPL-3.0-or-later
// Where new layers go: at a point, below another layer, on a connection; neighbours make room and frames grow. Pure:
// documents in, edits out.
#pragma once
#include <QPointF>
#include <QRectF>
#include <QString>
#include <optional>

#include "ui/canvas/edits/edit_chain.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_text.hpp"

namespace nw::ui {

/// A node for what the palette calls `id`: a layer's name, or "Block/NAME" for an instance of a block.
Node nodeFor(const QString& id);
/// The same ready to be placed: for a block of the user's palette ("Mine/NAME") its definitions are added first.
Node nodeToPlace(EditChain&, const QString& id);
/// "Block/Stem" and "Mine/Stem" are blocks; their name alone, or the layer's.
bool isBlockId(const QString& id);
QString shownName(const QString& id);
QRectF cardOf(const Node&);

/// At a point, as it is.
NodeId placeAt(EditChain&, const std::string& scope, Node, QPointF centre);
/// Between the two ends of a connection; what is below moves down where there is no room. `existing`: a node that is
/// there already and is not connected; 0: a new one.
NodeId placeOn(EditChain&, const std::string& scope, const Connection&, Node, std::optional<QPointF> wanted,
               NodeId existing = 0);
/// Below `after`, connected to it; on the connection to its only follower when there is one.
NodeId placeAfter(EditChain&, const std::string& scope, NodeId after, Node);
/// At a free place for a node that hangs on `port`, connected to it.
NodeId placeOnPort(EditChain&, const std::string& scope, const PortRef& port, Node, QPointF centre);
/// The edit with places found for new layers that have none (the engine's repairs know no canvas).
Edit withPlaces(const GraphDoc&, const Edit&);

}  // namespace nw::ui
