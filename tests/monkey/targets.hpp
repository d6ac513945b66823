// SPDX-License-Identifier: GPL-3.0-or-later
// What a mouse can reach now: the widgets of the topmost popup, dialog or window, and the elements of the canvas.
#pragma once
#include <QPoint>
#include <QVector>
#include <QWidget>

namespace nw::ui {

class GraphView;

/// The window that receives the next input: the open menu, else the dialog on top, else `main`.
QWidget* topWindow(QWidget& main);
/// Visible, enabled widgets of a window that are not covered at their centre, in the order of creation.
QVector<QWidget*> reachable(QWidget& window);
/// Number `n` of the positions in the widget at which a click reaches it; (-1, -1) if there is none.
QPoint positionIn(QWidget& widget, std::uint32_t n);
/// Centres of nodes and positions of ports, in coordinates of the viewport; only those inside it.
QVector<QPoint> canvasPositions(const GraphView& view);

}  // namespace nw::ui
