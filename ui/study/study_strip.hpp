// SPDX-License-Identifier: GPL-3.0-or-later
// The strip over a study: its name and goal, a cell for each trial, the time left, the best value, and Stop or
// Continue.
#pragma once
#include <QWidget>

#include "ui/study/study_model.hpp"

class QPainter;
class QPushButton;

namespace nw::ui {

/// How many trials are in a state, with the state's colour.
struct StateWords {
  QColor colour;
  QString words;  // "3 failed", or "3"
};
/// Of every state that a trial has; where the room, in pixels, does not suffice for all words, the states of trials
/// that came to nothing keep theirs the longest.
QVector<StateWords> stateWords(const StudySnapshot& study, qreal room);

class StudyStrip : public QWidget {
  Q_OBJECT
 public:
  explicit StudyStrip(StudyModel& model, QWidget* parent = nullptr);
  QPushButton& stopButton() { return *stop_; }
  QPushButton& continueButton() { return *continue_; }

 Q_SIGNALS:
  void stop();
  void goOn();
  void hold(bool on);  // the running study

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  void refresh();
  void paintTrials(QPainter& p, const QRectF& where, const StudySnapshot& study);
  void paintFigures(QPainter& p, const QRectF& where, const StudySnapshot& study);
  StudyModel& model_;
  QPushButton *stop_, *pause_, *continue_;
};

}  // namespace nw::ui
