// SPDX-License-Identifier: GPL-3.0-or-later
// Drags a layer from the palette to the canvas inside the window: a small preview follows the mouse until the button is
// released. Plain mouse events are used, so it works the same on every platform and in tests; Esc cancels.
#pragma once
#include <QPoint>
#include <QString>
#include <QWidget>

namespace nw::ui {

class Canvas;

void dragLayer(Canvas& canvas, const QString& paletteId, QWidget& from, QPoint global);

}  // namespace nw::ui
