// SPDX-License-Identifier: GPL-3.0-or-later
// Spin boxes for numbers of any size: 0.0001 is shown as 0.0001, and a step goes 1, 2, 5, 10 where that is natural.
#pragma once
#include <QDoubleSpinBox>

namespace nw::ui {

class NumberSpin : public QDoubleSpinBox {
  Q_OBJECT
 public:
  /// `step` 0: 1-2-5 steps for reals, doubling for whole numbers.
  NumberSpin(bool whole, double lo, double hi, double step, QWidget* parent = nullptr);
  /// Shown instead of 0, and accepted as input.
  void setZeroText(const QString& text);
  /// Shown behind the number: "px", "epochs"; `one` behind 1: "epoch".
  void setUnit(const QString& many, const QString& one = {});

 protected:
  QString textFromValue(double value) const override;
  double valueFromText(const QString& text) const override;
  QValidator::State validate(QString& text, int& at) const override;
  void stepBy(int steps) override;
  void wheelEvent(QWheelEvent*) override;  // only with focus: scrolling the panel changes nothing

 private:
  QString withoutUnit(const QString& text) const;
  bool whole_;
  double step_;
  QString zero_, unit_, unitOne_;
};

}  // namespace nw::ui
