// SPDX-License-Identifier: GPL-3.0-or-later
// The grid of dots behind the network. One row is painted and kept; the grid is copies of it on whole pixels.
#pragma once
#include <QGraphicsView>
#include <QPainter>
#include <QPixmap>
#include <QString>

namespace nw::ui {

class DotGrid {
 public:
  /// `painter` and `area` are in viewport coordinates.
  void paint(QPainter& painter, const QGraphicsView& view, const QRect& area);

 private:
  void paintRow(const QGraphicsView& view);
  QPixmap row_;
  QString rowKey_;  // everything that the row depends on
};

}  // namespace nw::ui
