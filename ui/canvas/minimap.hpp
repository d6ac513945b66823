// SPDX-License-Identifier: GPL-3.0-or-later
// The whole drawing in a corner, with what is in view. A press or drag there goes there.
#pragma once
#include <QWidget>

namespace nw::ui {

class GraphView;

class MiniMap : public QWidget {
  Q_OBJECT
 public:
  explicit MiniMap(GraphView& view, QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;

 private:
  QTransform fromScene() const;
  QRectF visibleScene() const;
  GraphView& view_;
};

}  // namespace nw::ui
