// SPDX-License-Identifier: GPL-3.0-or-later
// Carries a layer from the palette to the canvas inside the window: a small card follows the mouse until the button is
// let go. It tracks plain mouse events, so it works on every platform and under test alike; Esc gives up.
#pragma once
#include <QPoint>
#include <QString>
#include <QWidget>

namespace nw::ui {

class Canvas;

void dragLayer(Canvas& canvas, const QString& paletteId, QWidget& from, QPoint global);

}  // namespace nw::ui
