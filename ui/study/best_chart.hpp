// SPDX-License-Identifier: GPL-3.0-or-later
// The best value so far over the time of the study, a mark for every pause and end of a trial, and under it the lanes
// in which trials train at the same time.
#pragma once
#include "ui/study/study_plot.hpp"

namespace nw::ui {

class BestChart : public StudyPlot {
  Q_OBJECT
 public:
  explicit BestChart(StudyModel& model, QWidget* parent = nullptr);

 protected:
  void paintData(QPainter& p, const StudySnapshot& study) override;

 private:
  void paintPoints(QPainter& p, const StudySnapshot& study);
  void paintBest(QPainter& p, const StudySnapshot& study);
  void paintLanes(QPainter& p, const StudySnapshot& study);
  void paintTime(QPainter& p, const StudySnapshot& study);
  qreal x(double seconds) const;
  qreal y(const StudySnapshot& study, double value) const;
  QRectF area_, lanes_;
  double end_ = 1;  // seconds at the right end
};

/// What the rings and the discs of the chart mean, for its title row.
class BestLegend : public QWidget {
  Q_OBJECT
 public:
  explicit BestLegend(StudyModel& model, QWidget* parent = nullptr);
  QStringList words() const;
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  StudyModel& model_;
};

}  // namespace nw::ui
