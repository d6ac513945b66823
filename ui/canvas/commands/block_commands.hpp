// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks by hand: made of the selection, taken apart, made unique, named, saved. Each change of the document is one
// step of undo.
#pragma once
#include <QMenu>
#include <QString>

#include "ui/canvas/scene/graph_scene.hpp"

namespace nw::ui {

class GraphView;

void groupSelected(GraphView&);
void ungroupSelected(GraphView&);
void makeSelectedUnique(GraphView&);
void saveSelectedBlock(GraphView&);
/// What can be done with the block of that row of the palette.
void fillBlockMenu(GraphView&, QMenu&, const QString& paletteId);
/// Whether a command is about blocks only, and whether one is selected.
bool needsBlock(const char* command);
bool hasBlock(const GraphScene&);

}  // namespace nw::ui
