// SPDX-License-Identifier: GPL-3.0-or-later
// Aligning, distributing and straightening the selected nodes. Each command is one step of undo.
#pragma once
#include <QtGlobal>

namespace nw::ui {

class GraphView;

enum class Align : quint8 { left, centre, right, top, middle, bottom };
/// Moves the edges or centres of the selected nodes onto one line.
void alignSelected(GraphView&, Align);
/// Makes the gaps between the selected nodes equal; the outermost nodes stay.
void distributeSelected(GraphView&, bool across);
/// Moves each selected node straight below the node that feeds it.
void straightenSelected(GraphView&);

}  // namespace nw::ui
