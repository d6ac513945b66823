// SPDX-License-Identifier: GPL-3.0-or-later
// The card "Where the time goes": the time of a training step as one bar, the bottleneck and a recommendation. GUI
// thread.
#pragma once
#include <QVector>

#include "engine/train/step_time_breakdown.hpp"
#include "ui/widgets/widgets.hpp"

class QLabel;
class QVBoxLayout;

namespace nw::ui {

/// One part of the bar.
struct SplitPart {
  QString name;
  double seconds = 0;
  int series = 0;  // colour; -1: idle time, hatched
};
/// Decode, augment, copy, compute, reduce, wait; parts of zero time are left out.
QVector<SplitPart> splitParts(const StepSplit& split);
/// A part's colour; hatched: -1.
void paintSplitPart(QPainter& p, const QRectF& where, int series);
/// "52.3 ms", "870 µs", "1.24 s"
QString stepTimeText(double seconds);

/// The bar with a legend below it; the text of a part that is too narrow is in the legend only.
class SplitBar : public QWidget {
  Q_OBJECT
 public:
  explicit SplitBar(QWidget* parent = nullptr);
  void setSplit(const StepSplit& split);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent*) override;
  bool event(QEvent*) override;  // tooltips

 private:
  QRectF rectOf(int part) const;
  QVector<SplitPart> parts_;
  double seconds_ = 0;
};

class WhySlow : public Card {
  Q_OBJECT
 public:
  explicit WhySlow(QWidget* parent = nullptr);
  /// A step count of 0: hidden, nothing was measured.
  void setSplit(const StepSplit& split);
  QString verdictText() const;

 private:
  SplitBar* bar_;
  QLabel *total_, *verdict_;
  QVBoxLayout* recommendations_;
  StepSplit shown_;
};

}  // namespace nw::ui
