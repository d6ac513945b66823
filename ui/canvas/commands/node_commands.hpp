// SPDX-License-Identifier: GPL-3.0-or-later
// Adding nodes and notes, and going from node to node. Each change of the document is one step of undo.
#pragma once
#include <QPointF>
#include <QString>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

class GraphScene;
class GraphView;

/// Adds what the palette calls `paletteId` after the current node, or below everything. 0: it was rejected.
NodeId addAfterCurrent(GraphView&, const QString& paletteId);
/// Adds an empty note there and opens it for typing.
void addNoteAt(GraphView&, QPointF scene);
/// The node along the connections (Qt::Key_Down, Key_Up) or beside; 0: none.
NodeId neighbour(const GraphScene&, NodeId, int key);

}  // namespace nw::ui
