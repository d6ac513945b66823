// SPDX-License-Identifier: GPL-3.0-or-later
// Spin boxes for numbers of any size: 0.0001 is shown as 0.0001, and a step goes 1, 2, 5, 10 where that is natural.
// A text that is not a permitted number stays in the field, and the value is the one from before it was typed.
#pragma once
#include <QDoubleSpinBox>
#include <optional>

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
  /// A list, "16, 32, 64", or a range, "0.1 … 0.5", may be typed: listTyped(), and the value stays.
  void setTakesLists(bool take) { lists_ = take; }
  /// The field shows a text that was refused.
  bool isRefused() const { return refused_.has_value(); }
  /// Shows the document's value, without valueChanged(); if it is another one than before, a refused text ends.
  void follow(double value);
  /// Replaces a refused text by the permitted number that is nearest to it.
  void useNearest();

 Q_SIGNALS:
  /// `limits`: a sentence with the text and the permitted numbers; `nearest`: "" if the text is not a number.
  void refused(const QString& limits, const QString& nearest);
  void listTyped(const QString& typed);
  /// The field shows its value again.
  void accepted();

 protected:
  QString textFromValue(double value) const override;
  double valueFromText(const QString& text) const override;
  QValidator::State validate(QString& text, int& at) const override;
  void fixup(QString& text) const override;
  void keyPressEvent(QKeyEvent*) override;
  void stepBy(int steps) override;
  void wheelEvent(QWheelEvent*) override;  // only with focus: scrolling the panel changes nothing

 private:
  /// A text that was typed and refused, and the value that the field holds meanwhile.
  struct Refused {
    QString text;
    double value;
  };
  QString withoutUnit(const QString& text) const;
  std::optional<double> numberOf(const QString& text) const;
  QString limits(const QString& text) const;
  bool isList(const QString& text) const;
  void edited();
  void refuse(const QString& text);
  void takeList(QString& text);
  void showValue();
  std::optional<Refused> refused_;
  std::optional<double> before_;  // the value when typing began
  bool whole_, lists_ = false;
  double step_;
  QString zero_, unit_, unitOne_;
};

}  // namespace nw::ui
