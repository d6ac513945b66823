// SPDX-License-Identifier: GPL-3.0-or-later
// Editing names, titles and notes in place. Each change is one step of undo.
#pragma once
#include "engine/design/graph_doc.hpp"

namespace nw::ui {

class GraphView;

/// Without effect if the scene has no such node, frame or note.
void editName(GraphView&, NodeId);
void editBlockName(GraphView&, NodeId);  // of the definition that this instance shows
void editFrameTitle(GraphView&, ItemId);
void editNote(GraphView&, ItemId);

}  // namespace nw::ui
