// SPDX-License-Identifier: GPL-3.0-or-later
// The words that a window paints, whoever paints them: labels and buttons, views with their delegates, the items of the
// canvas, charts. The window is painted once more, on a device that keeps texts only.
#pragma once
#include <QColor>
#include <QFont>
#include <QList>
#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <QWidget>

namespace nw::ui {

/// A text as it was drawn, in one line.
struct PaintedText {
  QString text;
  QRectF place;  // in the window's coordinates
  QRectF clip;   // what the painter let through; null: everything
  QColor ink;    // with the painter's opacity as alpha
  QFont font;
  QWidget* owner;  // the widget that painted it
  qreal scale;     // of the painter: of the canvas's zoom, 1 elsewhere
  QPolygonF box;   // of a line that is turned, of which `place` only holds the corners; else empty
  /// What the clip leaves of the place.
  QRectF shown() const { return clip.isNull() ? place : place.intersected(clip); }
};

/// The texts that are in sight: not what another widget covers, or what lies outside the window. In the order of
/// painting. GUI thread.
QList<PaintedText> paintedTexts(QWidget& window);

}  // namespace nw::ui
