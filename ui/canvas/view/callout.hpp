// SPDX-License-Identifier: GPL-3.0-or-later
// A short message beside the point of the scene it refers to. It disappears after four seconds.
#pragma once
#include <QGraphicsView>
#include <QPainter>
#include <QString>
#include <QTimer>

namespace nw::ui {

/// GUI thread. Lives as long as the view.
class Callout {
 public:
  explicit Callout(QGraphicsView& view);
  void show(const QString& sentence, QPointF scene);
  void clear();
  /// Over everything else in the viewport, whatever transform `painter` has.
  void paint(QPainter& painter) const;

 private:
  QGraphicsView& view_;
  QString sentence_;
  QPointF at_;  // scene coordinates
  QTimer timer_;
};

}  // namespace nw::ui
