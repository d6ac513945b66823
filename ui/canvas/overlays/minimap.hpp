// SPDX-License-Identifier: GPL-3.0-or-later
// An overview of the network in a corner, with the visible part outlined. A press or drag moves the view there.
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
  QTransform showing(QRectF scene) const;  // maps that part of the scene onto the minimap
  QTransform fromScene() const;
  void forget();           // discards the cached rendering
  QRectF content() const;  // bounds of all items
  const QPixmap& picture();
  QRectF visibleScene() const;
  GraphView& view_;
  mutable QRectF area_;  // null: unknown
  QPixmap picture_;
  QString colours_;
};

}  // namespace nw::ui
