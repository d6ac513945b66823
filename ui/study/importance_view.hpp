// SPDX-License-Identifier: GPL-3.0-or-later
// How much the parameters matter: the shares with their intervals, the values of trials over one parameter, or over
// two.
#pragma once
#include "ui/study/study_plot.hpp"

namespace nw::ui {

class ImportanceView : public StudyPlot {
  Q_OBJECT
 public:
  enum class Mode { share, slice, contour };
  explicit ImportanceView(StudyModel& model, QWidget* parent = nullptr);
  void setMode(Mode mode);
  Mode mode() const { return mode_; }
  /// Of the slice; and the second one of the contour. Indices of the space.
  void setParameter(int parameter) { parameter_ = parameter, update(); }
  int parameter() const;
  int second() const;

 Q_SIGNALS:
  void sliceWanted();  // of parameter()

 protected:
  void paintData(QPainter& p, const StudySnapshot& study) override;
  void mousePressEvent(QMouseEvent*) override;

 private:
  void paintShares(QPainter& p, const StudySnapshot& study);
  void paintSlice(QPainter& p, const StudySnapshot& study);
  void paintContour(QPainter& p, const StudySnapshot& study);
  void paintAcross(QPainter& p, const QRectF& area, const StudySnapshot& study, const StudyAxis& axis);
  Mode mode_ = Mode::share;
  int parameter_ = -1;  // -1: the one that matters most
};

}  // namespace nw::ui
