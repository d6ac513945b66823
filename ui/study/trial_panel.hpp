// SPDX-License-Identifier: GPL-3.0-or-later
// The chosen trial: its values and their distance to the best, the settings that differ from the best, its course, and
// what can be done with it.
#pragma once
#include <QScrollArea>

#include "ui/study/study_model.hpp"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace nw::ui {

class CourseChart;

class TrialPanel : public QScrollArea {
  Q_OBJECT
 public:
  explicit TrialPanel(StudyModel& model, QWidget* parent = nullptr);

 Q_SIGNALS:
  void openRun(qint64 trial);
  void openNetwork(qint64 trial);
  void repeatBest();

 private:
  void refresh();
  void refreshFigures(const StudySnapshot& study, const search::Trial& trial);
  void refreshDifferences(const StudySnapshot& study, const search::Trial& trial);
  void refreshRepeats(const StudySnapshot& study);
  StudyModel& model_;
  QLabel *title_, *state_, *figures_, *differs_, *repeats_;
  QWidget* differences_;
  CourseChart* course_;
  QPushButton *run_, *network_, *again_;
};

/// The values of a trial over its epochs, beside those of the best trial.
class CourseChart : public QWidget {
  Q_OBJECT
 public:
  explicit CourseChart(StudyModel& model, QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  StudyModel& model_;
};

}  // namespace nw::ui
