// SPDX-License-Identifier: GPL-3.0-or-later
// Adding nodes and notes, and keyboard navigation between nodes. Each change of the document is one step of undo.
#pragma once
#include <QPointF>
#include <QString>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

class GraphScene;
class GraphView;

/// Adds the palette's `paletteId` after the current node, or below all nodes. 0: the document rejected it.
NodeId addAfterCurrent(GraphView&, const QString& paletteId);
/// Adds an empty note at `scene` and opens its editor.
void addNoteAt(GraphView&, QPointF scene);
/// The next node along the connections (Qt::Key_Down, Key_Up) or beside this one; 0: none.
NodeId neighbour(const GraphScene&, NodeId, int key);

}  // namespace nw::ui
