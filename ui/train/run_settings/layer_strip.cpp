// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/run_settings/frozen_layers.hpp"

namespace nw::ui {

namespace {
constexpr int edge = 3;  // for the focus ring
constexpr int wide_gap = 3, many_layers = 60;
}  // namespace

LayerStrip::LayerStrip(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("layerStrip"));
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Frozen layers, one by one"));
}

void LayerStrip::setLayers(const QVector<TrainedLayer>& layers) {
  layers_ = layers;
  choose(std::clamp<qsizetype>(chosen_, 0, std::max<qsizetype>(0, layers.size() - 1)));
}

void LayerStrip::setFrozen(const QSet<QString>& now, const QSet<QString>& wanted) {
  now_ = now;
  wanted_ = wanted;
  choose(chosen_);
}

QRect LayerStrip::cell(qsizetype layer) const {
  const int count = static_cast<int>(layers_.size()), room = width() - 2 * edge;
  const int gap = count > many_layers ? 1 : wide_gap;
  const int left = edge + static_cast<int>(layer) * room / count,
            right = edge + static_cast<int>(layer + 1) * room / count;
  return {left, edge + 1, std::max(1, right - left - gap), height() - 2 * edge - 2};
}

qsizetype LayerStrip::at(QPoint place) const {
  for (qsizetype i = 0; i < layers_.size(); ++i)
    if (cell(i).adjusted(0, -edge, wide_gap, edge).contains(place)) return i;
  return -1;
}

QString LayerStrip::words(qsizetype layer) const {
  const QString& name = layers_[layer].name;
  const QString state = wanted_.contains(name) ? tr("%1: frozen").arg(name) : tr("%1: trained").arg(name);
  return wanted_.contains(name) == now_.contains(name) ? state : tr("%1, waits").arg(state);
}

void LayerStrip::choose(qsizetype layer) {
  chosen_ = layer;
  if (layer < layers_.size()) {
    setAccessibleDescription(words(layer));
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
  }
  update();
}

/// Frozen: hatched. Waiting: with a frame in the accent colour.
void LayerStrip::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const Theme& t = theme();
  for (qsizetype i = 0; i < layers_.size(); ++i) {
    const bool frozen = wanted_.contains(layers_[i].name), waits = frozen != now_.contains(layers_[i].name);
    const QRectF where = cell(i);
    style::box(p, where, 2,
               !isEnabled() && !frozen ? t.border3
               : frozen                ? t.track
                                       : t.series[0],
               waits ? t.accentText : Qt::transparent, waits ? 2 : 1);
    if (!frozen) continue;
    p.setPen(Qt::NoPen);
    p.setBrush(QBrush(t.text2, Qt::BDiagPattern));
    p.drawRoundedRect(where.adjusted(1, 1, -1, -1), 2, 2);
  }
  if (hasFocus() && chosen_ < layers_.size()) style::focusRing(p, QRectF(cell(chosen_)).adjusted(-2, -2, 2, 2), 4);
}

void LayerStrip::mousePressEvent(QMouseEvent* event) {
  const qsizetype layer = at(event->position().toPoint());
  if (event->button() != Qt::LeftButton || layer < 0) return;
  choose(layer);
  Q_EMIT toggled(layers_[layer].name);
}

void LayerStrip::keyPressEvent(QKeyEvent* event) {
  const qsizetype last = layers_.size() - 1;
  if (last < 0) return QWidget::keyPressEvent(event);
  if (event->key() == Qt::Key_Left)
    choose(std::max<qsizetype>(0, chosen_ - 1));
  else if (event->key() == Qt::Key_Right)
    choose(std::min(last, chosen_ + 1));
  else if (event->key() == Qt::Key_Home || event->key() == Qt::Key_End)
    choose(event->key() == Qt::Key_Home ? 0 : last);
  else if (event->key() == Qt::Key_Space)
    Q_EMIT toggled(layers_[chosen_].name);
  else
    QWidget::keyPressEvent(event);
}

void LayerStrip::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}

void LayerStrip::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

bool LayerStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const qsizetype layer = at(help->pos());
  layer < 0 ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), words(layer), this);
  return true;
}

}  // namespace nw::ui
