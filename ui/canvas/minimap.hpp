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
  QTransform fromScene() const;
  void forget();                 // what is drawn changed
  QPixmap content(const QTransform& map);
  QRectF visibleScene() const;
  GraphView& view_;
  mutable QRectF area_;          // of everything drawn; null: not known
  QPixmap picture_;              // of everything drawn, made for `pictured_`
  QTransform pictured_;
  QString colours_;
};

}  // namespace nw::ui
