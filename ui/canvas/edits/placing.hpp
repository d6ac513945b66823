// SPDX-License-Identifier: GPL-3.0-or-later
// Positions of new layers: at a point, below another layer, on a connection; neighbours move to make room and frames
// grow. Pure functions from documents to edits.
#pragma once
#include <QPointF>
#include <QRectF>
#include <QString>
#include <optional>

#include "ui/canvas/edits/edit_chain.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_text.hpp"

namespace nw::ui {

/// A node for the palette id: the name of a layer type, or "Block/NAME" for a block instance.
Node nodeFor(const QString& id);
/// The same; for a block saved by the user ("Mine/NAME") its definitions are added to the chain first.
Node nodeToPlace(EditChain&, const QString& id);
/// Whether the id is that of a block ("Block/Stem", "Mine/Stem"); and the id's name without the prefix.
bool isBlockId(const QString& id);
QString shownName(const QString& id);
QRectF cardOf(const Node&);

/// Places the node at a point; nothing else moves.
NodeId placeAt(EditChain&, const std::string& scope, Node, QPointF centre);
/// Inserts the node into a connection; nodes below move down where there is no room. `existing`: an unconnected node of
/// the document; 0: a new one.
NodeId placeOn(EditChain&, const std::string& scope, const Connection&, Node, std::optional<QPointF> wanted,
               NodeId existing = 0);
/// Places the node below `after` and connects it; if `after` feeds one node only, on that connection.
NodeId placeAfter(EditChain&, const std::string& scope, NodeId after, Node);
/// Places the node at a free position near `port` and connects it.
NodeId placeOnPort(EditChain&, const std::string& scope, const PortRef& port, Node, QPointF centre);
/// The edit with positions for new layers that have none (the engine's quick fixes set no positions).
Edit withPlaces(const GraphDoc&, const Edit&);

}  // namespace nw::ui
