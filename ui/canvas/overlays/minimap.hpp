// SPDX-License-Identifier: GPL-3.0-or-later
// The whole drawing in a corner, with what is in view. A press or drag there goes there.
#pragma once
#include <QPixmap>
#include <QTransform>
#include <QWidget>

namespace nw::ui {

class GraphView;

class MiniMap : public QWidget {
  Q_OBJECT
 public:
  explicit MiniMap(GraphView& view, QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent*) override;
  void changeEvent(QEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;

 private:
  QTransform showing(QRectF scene) const;  // of that part of the scene onto the map
  QTransform fromScene() const;
  void forget();           // what is drawn changed
  QRectF content() const;  // of everything drawn
  const QPixmap& picture();
  QRectF visibleScene() const;
  GraphView& view_;
  mutable QRectF area_;  // null: not known
  QPixmap picture_;
  QString colours_;
};

}  // namespace nw::ui
