// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/run_settings/setting_field.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "engine/train/knobs.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/run_settings/setting_slider.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
constexpr int field_width = 118;
}

SettingField::SettingField(const SettingRow& row, QWidget* parent)
    : QWidget(parent), id_(row.id), label_(settingLabel(row.id)), row_(row) {
  setObjectName(QStringLiteral("setting.") + id_);
  build(row);
  connect(field_, &NumberSpin::valueChanged, this, &SettingField::take);
  connect(field_, &NumberSpin::refused, this, [this](const QString& limits) {
    refusal_ = limits;
    say();
  });
  connect(field_, &NumberSpin::accepted, this, [this] {
    refusal_.clear();
    say();
  });
  connect(slider_, &SettingSlider::valueChanged, this, [this](int position) {
    take(position == scale_.position(now_.value) ? now_.value : scale_.value(position));
  });
}

void SettingField::build(const SettingRow& row) {
  auto* name = makeLabel(label_, 1, static_cast<int>(TextRole::body));
  name->setToolTip(row.help);
  badge_ = makePill({}, QStringLiteral("accent"));
  field_ = new NumberSpin(row.kind == SettingRow::Kind::integer, row.lo, row.hi, row.step);
  if (!row.zero.isEmpty()) field_->setZeroText(row.zero);
  if (!row.unit.isEmpty()) field_->setUnit(row.unit, row.unitOne);
  field_->setAccessibleName(label_);
  field_->setToolTip(row.help);
  field_->setObjectName(id_);
  field_->setFixedWidth(field_width);
  slider_ = new SettingSlider;
  slider_->setAccessibleName(tr("%1, slider").arg(label_));
  slider_->setToolTip(row.help);
  note_ = new SeverityLabel(SeverityLabel::Tone::quiet);
  schedule_ = makeButton(tr("Follow the schedule"), ButtonKind::ghost);
  schedule_->setObjectName(QStringLiteral("followSchedule"));
  connect(schedule_, &QPushButton::clicked, this, [this] {
    wait({now_.value, true});
    Q_EMIT changed();
  });
  auto* head = new QHBoxLayout;
  head->setSpacing(space::s);
  head->addWidget(name);
  head->addWidget(badge_);
  head->addStretch(1);
  head->addWidget(field_);
  auto* foot = new QHBoxLayout;
  foot->addWidget(note_, 1);
  foot->addWidget(schedule_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addLayout(head);
  column->addWidget(slider_);
  column->addLayout(foot);
  badge_->hide();
  schedule_->hide();
  QSizePolicy steady = note_->sizePolicy();  // the rows below stay where they are while the note changes
  steady.setRetainSizeWhenHidden(true);
  note_->setSizePolicy(steady);
}

/// Of the user's hand.
void SettingField::take(double value) {
  refusal_.clear();
  waiting_ = value == now_.value && !now_.scheduled ? std::nullopt : std::optional(SettingValue{value, false});
  if (now_.scheduled && value == now_.value) waiting_.reset();
  sent_.reset();
  showValue(true);
  Q_EMIT changed();
}

void SettingField::setNow(const SettingValue& now) {
  if (sent_ && (now == *sent_ || (now.scheduled && sent_->scheduled))) sent_.reset();
  if (known_ && now == now_) return say();
  if (!known_ || scale_.position(now.value) == 0 || scale_.position(now.value) == SettingScale::positions)
    scale_ = SettingScale(row_, now.value);
  known_ = true;
  slider_->setSingleStep(scale_.step());
  now_ = now;
  if (waiting_ && *waiting_ == now_) waiting_.reset();
  showValue(false);
}

void SettingField::setLastChange(const SettingChange* change) {
  last_ = change ? std::optional(*change) : std::nullopt;
  badge_->setVisible(change != nullptr);
  if (change) badge_->setText(tr("change %1").arg(change->number));
  say();
}

void SettingField::wait(const SettingValue& value) {
  waiting_ = value == now_ || (value.scheduled && now_.scheduled) ? std::nullopt : std::optional(value);
  sent_.reset();
  showValue(true);
}

void SettingField::discard() {
  waiting_.reset();
  refusal_.clear();
  showValue(true);
}

void SettingField::setSent(const SettingValue& value) {
  waiting_.reset();
  if (value != now_) sent_ = value;
  showValue(true);
}

void SettingField::forgetSent() {
  if (!sent_) return;
  sent_.reset();
  showValue(true);
}

/// A field that the user types in is left alone, unless `force`.
void SettingField::showValue(bool force) {
  const SettingValue shown = waiting_ ? *waiting_ : sent_ ? *sent_ : now_;
  if (force || !field_->hasFocus()) field_->follow(shown.value);
  const int position = scale_.position(shown.value);
  {
    const QSignalBlocker quiet(slider_);
    // A position that means the same value stays, so that single steps of the keyboard add up.
    if (scale_.value(slider_->value()) != shown.value) slider_->setValue(position);
  }
  slider_->setMark(waiting_ || sent_ ? scale_.position(now_.value) : -1);
  slider_->update();
  say();
}

QString SettingField::waitingText() const {
  QString text = tr("waits: %1 → %2").arg(settingText(id_, now_), settingText(id_, *waiting_));
  if (id_ == QLatin1String("accumulate") && batch_ > 0)
    text += tr(", %1 → %2 images an update, from the next epoch on")
                .arg(grouped(batch_ * std::llround(now_.value)), grouped(batch_ * std::llround(waiting_->value)));
  return text;
}

QString SettingField::note() const {
  if (!refusal_.isEmpty()) return refusal_;
  if (waiting_) return waitingText();
  if (sent_)
    return id_ == QLatin1String("accumulate") ? tr("applied, holds from the next epoch on")
                                              : tr("applied, holds from the next step on");
  if (now_.scheduled) return tr("as scheduled");
  return last_ ? tr("was %1").arg(settingText(id_, last_->before)) : QString();
}

void SettingField::say() {
  const QString text = note();
  using Tone = SeverityLabel::Tone;
  note_->setSeverity(!refusal_.isEmpty() ? Tone::error : waiting_ || sent_ ? Tone::accent : Tone::quiet);
  note_->say(text);
  schedule_->setVisible(id_ == QLatin1String(rate_knob) && known_ && !now_.scheduled && !waiting_ && !sent_);
  slider_->setAccessibleDescription(QStringLiteral("%1. %2").arg(field_->text(), text));
  field_->setAccessibleDescription(text);
}

}  // namespace nw::ui
