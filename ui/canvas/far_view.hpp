// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas from far away, below the zoom where text is read: connections as lines, cards as pictures that are made once per
// look, or as plain blocks. Thousands of items then cost a frame little more than their number.
#pragma once
#include <QPainter>

namespace nw::ui {

class GraphView;

/// Paints frames, notes, connections and nodes; `p` is in viewport coordinates. Background, gesture and messages are the view's.
void paintFar(QPainter& p, const GraphView& view);

}  // namespace nw::ui
