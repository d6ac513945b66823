// SPDX-License-Identifier: GPL-3.0-or-later
// The grid of dots behind the network. One row is painted and cached; the grid is made of its copies at whole pixels.
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
