// SPDX-License-Identifier: GPL-3.0-or-later
// What the painted views of a study have in common: they repaint with the model, a click chooses the trial under it, a
// double click opens it, and the pointer shows what it is.
#pragma once
#include <QWidget>

#include "ui/study/study_model.hpp"

class QPainter;

namespace nw::ui {

class StudyPlot : public QWidget {
  Q_OBJECT
 public:
  explicit StudyPlot(StudyModel& model, const QString& accessibleName, QWidget* parent = nullptr);
  /// The trial painted nearest to the place, within a few pixels; -1: none.
  qint64 trialAt(const QPointF& at) const;
  /// Where the trial is painted; null: nowhere.
  QPointF placeOf(qint64 trial) const;

 protected:
  virtual void paintData(QPainter& p, const StudySnapshot& study) = 0;
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  bool event(QEvent*) override;
  void mark(qint64 trial, const QPointF& at) { marks_.append({trial, at}); }
  StudyModel& model_;

 private:
  struct Mark {
    qint64 trial;
    QPointF at;
  };
  QVector<Mark> marks_;
};

/// Horizontal lines at round numbers, written at the left of `area`, for `axis` from bottom to top.
void paintValueGrid(QPainter& p, const QRectF& area, const StudySnapshot& study, const StudyAxis& axis);
/// The labels of `axis`, which runs from the left to the right of `area`, below it.
void paintTicksBelow(QPainter& p, const QRectF& area, const StudySnapshot& study, const StudyAxis& axis);
/// Dots of one colour; squares where there are very many, which are painted faster.
void paintDots(QPainter& p, const QPolygonF& places, const QColor& colour, qreal size);
/// A word in one line, elided to the room; returns the place after it.
qreal paintWord(QPainter& p, const QRectF& where, const QString& text, const QFont& font, const QColor& colour,
                Qt::Alignment align = Qt::AlignLeft);
/// "Trial 7: 98.2 %, paused at epoch 3", and its values.
QString trialSentence(const StudySnapshot& study, qint64 trial);

}  // namespace nw::ui
