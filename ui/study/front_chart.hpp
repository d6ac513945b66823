// SPDX-License-Identifier: GPL-3.0-or-later
// Two objectives against each other: the Pareto front as a step line, the trials on it as discs that open their
// networks.
#pragma once
#include "ui/study/study_plot.hpp"

namespace nw::ui {

class FrontChart : public StudyPlot {
  Q_OBJECT
 public:
  explicit FrontChart(StudyModel& model, QWidget* parent = nullptr);

 protected:
  void paintData(QPainter& p, const StudySnapshot& study) override;

 private:
  QPointF place(const StudySnapshot& study, qint64 trial, const StudyAxis& across, const StudyAxis& up) const;
  QRectF area_;
};

}  // namespace nw::ui
