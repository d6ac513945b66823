// SPDX-License-Identifier: GPL-3.0-or-later
// A small diagram of how the selected layer changes the shape: channels as sheets, units as dots, with the arithmetic
// below.
#pragma once
#include <QWidget>

#include "engine/compile/compile.hpp"

namespace nw::ui {

class LayerPicture : public QWidget {
  Q_OBJECT
 public:
  explicit LayerPicture(QWidget* parent = nullptr);
  /// False: there is nothing to draw (shapes not known, or no image and no vector).
  bool show(const Node& node, const NodeInfo* facts);

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QPointF paintStack(QPainter&, QPointF centre, const Shape&, const QColor& colour, bool window);
  void paintUnits(QPainter&, QPointF centre, std::int64_t count, const QColor& colour) const;
  QString arithmetic() const;
  Node node_;
  Shape in_, out_;
  QString group_;
};

}  // namespace nw::ui
