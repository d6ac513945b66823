// SPDX-License-Identifier: GPL-3.0-or-later
// Order among what is selected: aligned, spread, straightened. Each is one step of undo.
#pragma once
#include <QtGlobal>

namespace nw::ui {

class GraphView;

enum class Align : quint8 { left, centre, right, top, middle, bottom };
/// Edges or centres of the selected cards on one line.
void alignSelected(GraphView&, Align);
/// Equal gaps between the selected cards; the outermost ones stay.
void distributeSelected(GraphView&, bool across);
/// Each selected card goes straight below what feeds it.
void straightenSelected(GraphView&);

}  // namespace nw::ui
