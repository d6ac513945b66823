// SPDX-License-Identifier: GPL-3.0-or-later
// Commands on blocks: create one from the selection, dissolve it, make it unique, rename it, save it. Each change of
// the document is one step of undo.
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
/// Adds the commands for the block of that palette row to the menu.
void fillBlockMenu(GraphView&, QMenu&, const QString& paletteId);
/// Whether a command works on blocks only, and whether a block is selected.
bool needsBlock(const char* command);
bool hasBlock(const GraphScene&);

}  // namespace nw::ui
