// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/run_settings/frozen_layers.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

FrozenLayers::FrozenLayers(QWidget* parent)
    : QWidget(parent),
      upTo_(new QComboBox),
      strip_(new LayerStrip),
      note_(new SeverityLabel(SeverityLabel::Tone::quiet)) {
  upTo_->setObjectName(QStringLiteral("frozenUpTo"));
  upTo_->setAccessibleName(tr("Frozen layers"));
  upTo_->setMinimumContentsLength(12);
  upTo_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  auto* head = new QHBoxLayout;
  head->setSpacing(space::s);
  head->addWidget(makeLabel(tr("Frozen layers"), 1, static_cast<int>(TextRole::body)));
  head->addStretch(1);
  head->addWidget(upTo_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addLayout(head);
  column->addWidget(strip_);
  column->addWidget(note_);
  connect(upTo_, &QComboBox::activated, this, &FrozenLayers::chooseUpTo);
  connect(strip_, &LayerStrip::toggled, this, [this](const QString& layer) {
    wait(layer, !wanted_.contains(layer));
    Q_EMIT changed();
  });
}

void FrozenLayers::setLayers(const QVector<TrainedLayer>& layers) {
  if (layers == layers_) return;
  layers_ = layers;
  strip_->setLayers(layers);
  upTo_->clear();
  upTo_->addItem(tr("none"));
  for (const TrainedLayer& layer : layers) upTo_->addItem(tr("up to %1").arg(layer.name));
  upTo_->addItem(tr("chosen layers"));
  say();
}

void FrozenLayers::setNow(const QSet<QString>& frozen) {
  if (frozen == now_) return;
  QSet<QString> others = frozen;
  for (const TrainedLayer& layer : layers_)  // what was chosen meanwhile stays chosen
    if (const bool on = wanted_.contains(layer.name); on != now_.contains(layer.name))
      on ? void(others.insert(layer.name)) : void(others.remove(layer.name));
  now_ = frozen;
  wanted_ = others;
  sent_.removeIf([&](auto sent) { return now_.contains(sent.key()) == sent.value(); });
  say();
}

QVector<std::pair<QString, bool>> FrozenLayers::waiting() const {
  QVector<std::pair<QString, bool>> out;
  for (const TrainedLayer& layer : layers_)
    if (const bool on = wanted_.contains(layer.name); on != now_.contains(layer.name))
      if (const auto sent = sent_.find(layer.name); sent == sent_.end() || *sent != on) out.append({layer.name, on});
  return out;
}

void FrozenLayers::setSent() {
  for (const auto& [layer, on] : waiting()) sent_[layer] = on;
  say();
}

void FrozenLayers::forgetSent() {
  for (auto sent = sent_.begin(); sent != sent_.end(); ++sent)
    sent.value() ? void(wanted_.remove(sent.key())) : void(wanted_.insert(sent.key()));
  sent_.clear();
  say();
}

void FrozenLayers::wait(const QString& layer, bool frozen) {
  frozen ? void(wanted_.insert(layer)) : void(wanted_.remove(layer));
  say();
}

void FrozenLayers::discard() {
  wanted_ = now_;
  for (auto sent = sent_.begin(); sent != sent_.end(); ++sent)
    sent.value() ? void(wanted_.insert(sent.key())) : void(wanted_.remove(sent.key()));
  say();
}

qsizetype FrozenLayers::frozenFromInput() const {
  qsizetype first = 0;
  while (first < layers_.size() && wanted_.contains(layers_[first].name)) ++first;
  const bool more = std::any_of(layers_.begin() + first, layers_.end(),
                                [&](const TrainedLayer& layer) { return wanted_.contains(layer.name); });
  return more ? -1 : first;
}

void FrozenLayers::chooseUpTo(int index) {
  if (index > layers_.size()) return strip_->setFocus();  // the strip chooses them
  for (qsizetype i = 0; i < layers_.size(); ++i) wait(layers_[i].name, i < index);
  Q_EMIT changed();
}

void FrozenLayers::say() {
  const qsizetype first = frozenFromInput();
  const QSignalBlocker quiet(upTo_);
  upTo_->setCurrentIndex(static_cast<int>(first < 0 ? layers_.size() + 1 : first));
  strip_->setFrozen(now_, wanted_);
  std::int64_t still = 0, all = 0;
  for (const TrainedLayer& layer : layers_) {
    all += layer.parameters;
    if (wanted_.contains(layer.name)) still += layer.parameters;
  }
  const bool waits = wanted_ != now_;
  note_->setSeverity(waits ? SeverityLabel::Tone::accent : SeverityLabel::Tone::quiet);
  const QString facts = tr("%1 of %2 parameters stand still").arg(grouped(still), grouped(all));
  note_->say(waits ? tr("waits: %1").arg(facts) : facts);
  upTo_->setAccessibleDescription(note_->sentence());
}

}  // namespace nw::ui
