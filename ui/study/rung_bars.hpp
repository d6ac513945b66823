// SPDX-License-Identifier: GPL-3.0-or-later
// The rungs of a study: how many trials reached each, train towards it, and were promoted from it. Without rungs: how
// many trials are in each state.
#pragma once
#include "ui/study/study_plot.hpp"

namespace nw::ui {

class RungBars : public StudyPlot {
  Q_OBJECT
 public:
  explicit RungBars(StudyModel& model, QWidget* parent = nullptr);
  struct Row {
    QString title, note, below;
    qint64 count = 0;
    double shade = 1;
  };
  static QVector<Row> rows(const StudySnapshot& study);

 protected:
  void paintData(QPainter& p, const StudySnapshot& study) override;
};

}  // namespace nw::ui
