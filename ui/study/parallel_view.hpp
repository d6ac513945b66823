// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel coordinates: one axis for each parameter that matters and for each objective, one line for each trial.
// Dragging along an axis selects the trials inside; a click on the axis's name takes that back.
#pragma once
#include "ui/study/study_plot.hpp"

namespace nw::ui {

class ParallelView : public StudyPlot {
  Q_OBJECT
 public:
  explicit ParallelView(StudyModel& model, QWidget* parent = nullptr);
  /// The line of the axis with this key.
  QLineF axisLine(int key) const;
  /// "10 of 48 trials"; "400 of 10 000 other lines" where not all are drawn.
  QString countText() const;

 protected:
  void paintData(QPainter& p, const StudySnapshot& study) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void resizeEvent(QResizeEvent*) override { update(); }

 private:
  QRectF area() const;
  qreal axisX(std::size_t index, std::size_t count) const;
  QPolygonF lineOf(const StudySnapshot& study, std::size_t trial) const;
  void paintAxis(QPainter& p, const StudySnapshot& study, std::size_t index);
  int axisAt(const QPointF& at) const;  // its index; -1: none
  int dragged_ = -1;                    // key of the axis
  bool dragging_ = false;
  qreal from_ = 0;
};

}  // namespace nw::ui
