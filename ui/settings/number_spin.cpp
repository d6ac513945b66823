// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/number_spin.hpp"
#include "ui/theme/sentences.hpp"

#include <QKeyEvent>
#include <QLineEdit>
#include <QRegularExpression>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace nw::ui {
namespace {

constexpr double smallest_step_from_zero = 1e-4;
constexpr double no_limit = 1e9;  // a range that ends here has no upper limit worth naming

/// The next value of the series … 0.1 0.2 0.5 1 2 5 … above or below a positive value.
double neighbour_125(double value, bool up) {
  const double decade = std::pow(10, std::floor(std::log10(value) + 1e-9));
  const double lead = value / decade;
  constexpr std::array<double, 5> rising = {1, 2, 5, 10, 20};
  if (up) return decade * *std::find_if(rising.begin(), rising.end(), [&](double r) { return r > lead * 1.0001; });
  constexpr std::array<double, 5> falling = {5, 2, 1, 0.5, 0.2};
  return decade * *std::find_if(falling.begin(), falling.end(), [&](double r) { return r < lead * 0.9999; });
}

}  // namespace

NumberSpin::NumberSpin(bool whole, double lo, double hi, double step, QWidget* parent)
    : QDoubleSpinBox(parent), whole_(whole), step_(step) {
  setDecimals(whole ? 0 : 12);
  setRange(lo, hi);
  setAccelerated(true);
  setFocusPolicy(Qt::StrongFocus);
  setCorrectionMode(QAbstractSpinBox::CorrectToPreviousValue);
  connect(lineEdit(), &QLineEdit::textEdited, this, &NumberSpin::edited);
  connect(this, &QAbstractSpinBox::editingFinished, this, [this] {
    if (!refused_) before_.reset();
  });
}

void NumberSpin::edited() {
  if (!before_) before_ = value();
  if (std::exchange(refused_, std::nullopt)) Q_EMIT accepted();
}

/// Qt calls this for a text that is not a permitted number when the field is left or Return is pressed. The text stays;
/// a shorter number that was permitted while it was typed does not.
void NumberSpin::fixup(QString& text) const {
  if (!refused_ && isList(text)) return const_cast<NumberSpin*>(this)->takeList(text);
  if (!refused_) const_cast<NumberSpin*>(this)->refuse(text);
}

/// The value is again the one from before the list was typed.
void NumberSpin::takeList(QString& text) {
  const QString typed = withoutUnit(text);
  const double kept = before_.value_or(this->value());
  before_.reset();
  text = textFromValue(kept);
  setValue(kept);
  lineEdit()->setText(text);
  QMetaObject::invokeMethod(
      this, [this, typed] { Q_EMIT listTyped(typed); }, Qt::QueuedConnection);
}

/// Several numbers, or a range. One comma between two digits is a decimal sign where numbers have fractions.
bool NumberSpin::isList(const QString& text) const {
  static const QRegularExpression range(QStringLiteral("^[-+0-9.e\\s]+(\\.{2,3}|…)[-+0-9.e\\s]+(log)?$"),
                                        QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression list(QStringLiteral("^[-+0-9.e\\s]+(,[-+0-9.e\\s]+)+,?\\s*$"),
                                       QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression decimal(QStringLiteral("^[-+0-9]*,[0-9]*$"));
  if (!lists_) return false;
  const QString plain = withoutUnit(text);
  return range.match(plain).hasMatch() ||
         (list.match(plain).hasMatch() && (whole_ || !decimal.match(plain).hasMatch()));
}

void NumberSpin::refuse(const QString& text) {
  const double value = before_.value_or(this->value());
  before_.reset();
  // Before the text is stored, which from then on is shown in place of its value.
  const std::optional<double> number = numberOf(text);
  const QString nearest =
      number ? textFromValue(std::clamp(whole_ ? std::round(*number) : *number, minimum(), maximum())) : QString();
  refused_ = Refused{text, value};
  setValue(value);
  Q_EMIT refused(limits(text), nearest);
}

void NumberSpin::follow(double value) {
  if (value == this->value()) return;
  {
    const QSignalBlocker quiet(this);
    setValue(value);
  }
  showValue();
}

void NumberSpin::useNearest() {
  if (!refused_) return;
  const std::optional<double> number = numberOf(refused_->text);
  showValue();
  if (number) setValue(whole_ ? std::round(*number) : *number);
}

void NumberSpin::showValue() {
  before_.reset();
  if (!std::exchange(refused_, std::nullopt)) return;
  lineEdit()->setText(textFromValue(value()));
  Q_EMIT accepted();
}

void NumberSpin::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && refused_) return showValue();
  QDoubleSpinBox::keyPressEvent(event);
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && refused_) event->accept();  // a dialog must not close over a refused number
}

std::optional<double> NumberSpin::numberOf(const QString& text) const {
  bool ok = false;
  const double number = withoutUnit(text).replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&ok);
  return ok && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

QString NumberSpin::limits(const QString& text) const {
  const QString low = QString::number(minimum(), 'g', 8), high = QString::number(maximum(), 'g', 8);
  const std::optional<double> number = numberOf(text);
  const bool inside = number && *number >= minimum() && *number <= maximum();
  const QString what = !number  ? tr("%1 is not a number.")
                       : inside ? tr("%1 is not a whole number.")
                                : tr("%1 is out of range.");
  const QString use = maximum() >= no_limit ? (whole_ ? tr("Enter a whole number of at least %1.").arg(low)
                                                      : tr("Enter a number of at least %1.").arg(low))
                      : whole_              ? tr("Enter a whole number from %1 to %2.").arg(low, high)
                                            : tr("Enter a number from %1 to %2.").arg(low, high);
  return joinedSentences(what.arg(text.left(24)), use);
}

void NumberSpin::setZeroText(const QString& text) {
  zero_ = text;
  setValue(value());
}

void NumberSpin::setUnit(const QString& many, const QString& one) {
  unit_ = many;
  unitOne_ = one.isEmpty() ? many : one;
  setValue(value());
}

QString NumberSpin::textFromValue(double value) const {
  if (refused_ && value == refused_->value) return refused_->text;
  if (value == 0 && !zero_.isEmpty()) return zero_;
  QString text = whole_ ? QString::number(static_cast<qint64>(std::llround(value))) : QString::number(value, 'g', 8);
  if (!whole_ && text.contains(QLatin1Char('e')) && std::abs(value) >= 1e-6)
    text = QString::number(value, 'f', 12).remove(QRegularExpression(QStringLiteral("0+$")));
  const QString& unit = value == 1 ? unitOne_ : unit_;
  return unit.isEmpty() ? text : text + QLatin1Char(' ') + unit;
}

QString NumberSpin::withoutUnit(const QString& text) const {
  QString plain = text.trimmed();
  for (const QString& unit : {unit_, unitOne_})
    if (!unit.isEmpty() && plain.endsWith(unit)) plain.chop(unit.size());
  return plain.trimmed();
}

double NumberSpin::valueFromText(const QString& text) const {
  QString plain = withoutUnit(text);
  if (!zero_.isEmpty() && plain.compare(zero_, Qt::CaseInsensitive) == 0) return 0;
  return plain.replace(QLatin1Char(','), QLatin1Char('.')).toDouble();
}

QValidator::State NumberSpin::validate(QString& text, int&) const {
  QString plain = withoutUnit(text);
  if (!zero_.isEmpty() && zero_.startsWith(plain, Qt::CaseInsensitive))
    return plain.size() == zero_.size() ? QValidator::Acceptable : QValidator::Intermediate;
  static const QRegularExpression typing(QStringLiteral("^[-+]?[0-9]*[.,]?[0-9]*(e[-+]?[0-9]*)?$"),
                                         QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression listing(QStringLiteral("^[-+0-9.,…\\selog]*$"),
                                          QRegularExpression::CaseInsensitiveOption);
  if (!typing.match(plain).hasMatch())
    return lists_ && listing.match(plain).hasMatch() ? QValidator::Intermediate : QValidator::Invalid;
  bool ok = false;
  const double value = plain.replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&ok);
  if (!ok || (whole_ && value != std::floor(value))) return QValidator::Intermediate;
  return value >= minimum() && value <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
}

void NumberSpin::stepBy(int steps) {
  showValue();
  double value = this->value();
  for (int i = 0; i < std::abs(steps); ++i) {
    const bool up = steps > 0;
    if (step_ > 0)
      value += up ? step_ : -step_;
    else if (whole_)
      value = up ? std::max(1.0, value * 2) : std::floor(value / 2);
    else if (value <= 0)
      value = up ? smallest_step_from_zero : 0;
    else
      value = up || value > smallest_step_from_zero * 1.0001 || minimum() > 0 ? neighbour_125(value, up) : 0;
  }
  setValue(std::clamp(std::round(value * 1e12) / 1e12, minimum(), maximum()));
  selectAll();
}

void NumberSpin::wheelEvent(QWheelEvent* event) {
  if (hasFocus())
    QDoubleSpinBox::wheelEvent(event);
  else
    event->ignore();
}

}  // namespace nw::ui
