// SPDX-License-Identifier: GPL-3.0-or-later
// Own SVG icons on a 24 grid, one colour, drawn at paint time. Names are file names in resources/icons without ".svg".
#pragma once
#include <QIcon>
#include <QPainter>
#include <QString>

namespace nw::ui {

/// Draws icon `name` in `colour`; unknown names draw a small square, and a test fails on them.
void paintIcon(QPainter& p, const QString& name, const QRectF& where, const QColor& colour);
/// For buttons and menus: follows the palette's text colour, any size and pixel ratio. Quiet: the theme's second text
/// colour.
QIcon icon(const QString& name, bool quiet = false);
/// Icon of a layer type ("Conv2d" → "layer-conv2d"; falls back to its group's).
QString layerIcon(const QString& type, const QString& group);

}  // namespace nw::ui
