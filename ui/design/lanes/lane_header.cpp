// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/lanes/lane_header.hpp"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "ui/theme/style.hpp"

namespace nw::ui {
namespace {

double passesOf(const StageEstimate& s) { return s.cost.forward + s.cost.backward; }

double allOf(const PipelineEstimate& e) {
  double sum = 0;
  for (const StageEstimate& s : e.stages) sum += passesOf(s);
  return sum;
}

}  // namespace

LaneHeader::LaneHeader(Placement& placement, const LaneBoard& board, int lane, QWidget* parent)
    : QWidget(parent), placement_(placement), board_(board), lane_(lane) {
  setFocusPolicy(Qt::TabFocus);
  setFixedHeight(static_cast<int>(lane::headerHeight));
  refresh();
}

const StageEstimate* LaneHeader::estimate() const {
  const auto& stages = placement_.estimate().stages;
  return lane_ < std::ssize(stages) ? &stages[static_cast<std::size_t>(lane_)] : nullptr;
}

QString LaneHeader::memoryText() const {
  const StageEstimate* e = estimate();
  if (!e) return {};
  const QString needs = bytesText(static_cast<double>(e->memory.sum()));
  const double there = placement_.laneMemory(lane_);
  return there > 0 ? tr("%1 of %2").arg(needs, bytesText(there)) : needs;
}

QString LaneHeader::idleText() const {
  const StageEstimate* e = estimate();
  return e ? tr("idle %1").arg(percentText(e->idle, 0)) : QString();
}

QString LaneHeader::layersText() const {
  QStringList names;
  for (const NodeId id : placement_.cards()) {
    const LaneCard* card = board_.card(id);
    if (card && placement_.placed().at(id) == lane_) names << board_.nameOf(id);
  }
  return tr("%n layer(s): %1", nullptr, static_cast<int>(names.size())).arg(names.join(QStringLiteral(", ")));
}

void LaneHeader::refresh() {
  const StageEstimate* e = estimate();
  const QString time = e ? placement_.costText(passesOf(*e), allOf(placement_.estimate())) : QString();
  setAccessibleName(
      QStringList{tr("Lane %1").arg(placement_.laneName(lane_)), time, memoryText(), idleText(), layersText()}.join(
          QStringLiteral(", ")));
  QStringList lines{placement_.laneDescription(lane_)};
  if (e)
    lines << tr("%1 a micro-batch, %2 a step")
                 .arg(time, placement_.costText(passesOf(*e) * static_cast<double>(placement_.question().micro_batches),
                                                allOf(placement_.estimate())))
          << tr("Weights and optimizer %1, gradients %2, activations %3, workspace %4")
                 .arg(bytesText(static_cast<double>(e->memory.weights)),
                      bytesText(static_cast<double>(e->memory.gradients)),
                      bytesText(static_cast<double>(e->memory.activations)),
                      bytesText(static_cast<double>(e->memory.workspace)));
  lines.removeAll(QString());
  setToolTip(lines.join(u'\n'));
  update();
}

void LaneHeader::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const bool slowest = static_cast<std::size_t>(lane_) == slowest_stage(placement_.estimate());
  const QRectF card = QRectF(rect()).adjusted(5, 6, -5, -6);
  style::box(p, card, radius::card, t.raised, slowest ? t.warn : t.border2);
  if (hasFocus()) style::focusRing(p, card, radius::card);
  const QRectF inner = card.adjusted(14, 8, -14, -8);
  paintTitle(p, QRectF(inner.topLeft(), QSizeF(inner.width(), 22)));
  paintBar(p, QRectF(inner.left(), inner.top() + 28, inner.width(), 7));
  const QRectF below(inner.left(), inner.bottom() - 18, inner.width(), 18);
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(t.text2);
  const QString idle = idleText();
  p.drawText(below, Qt::AlignRight | Qt::AlignVCenter, idle);
  const StageEstimate* e = estimate();
  const double there = placement_.laneMemory(lane_);
  p.setPen(e && there > 0 && static_cast<double>(e->memory.sum()) > there ? t.error : t.text1);
  const QFontMetricsF metrics(p.font());
  p.drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
             metrics.elidedText(memoryText(), Qt::ElideRight, below.width() - metrics.horizontalAdvance(idle) - 8));
}

/// Name and device; the time, and while layers are dragged the time it would have.
void LaneHeader::paintTitle(QPainter& p, const QRectF& line) const {
  const Theme& t = theme();
  style::box(p, QRectF(line.left(), line.center().y() - 8, lane::stripe, 16), 2, laneColour(t, lane_),
             QColor(0, 0, 0, 0));
  const StageEstimate* e = estimate();
  QRectF room = line.adjusted(12, 0, 0, 0);
  if (e) {
    const double whole = allOf(placement_.estimate());
    QString now = placement_.costText(passesOf(*e), whole);
    p.setFont(ui::font(TextRole::button));
    if (board_.effect() && board_.effect()->estimate) {
      const StageEstimate& then = board_.effect()->estimate->stages[static_cast<std::size_t>(lane_)];
      if (const QString next = placement_.costText(passesOf(then), whole); next != now) {
        p.setPen(t.accentText);
        p.drawText(room, Qt::AlignRight | Qt::AlignVCenter, next);
        room.setRight(room.right() - textWidth(p.font(), next) - 4);
        now = room.width() > 130 ? now + QStringLiteral(" ›") : QStringLiteral("›");
        p.setFont(ui::font(TextRole::secondary));
      }
    }
    p.setPen(t.text1);
    p.drawText(room, Qt::AlignRight | Qt::AlignVCenter, now);
    room.setRight(room.right() - textWidth(p.font(), now) - 8);
  }
  p.setFont(ui::font(TextRole::title));
  p.setPen(t.text1);
  const QString name = placement_.laneName(lane_);
  p.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, name);
  room.setLeft(room.left() + textWidth(p.font(), name) + 8);
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(t.text3);
  if (room.width() > 30)
    p.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
               QFontMetricsF(p.font()).elidedText(placement_.laneDescription(lane_), Qt::ElideRight, room.width()));
}

void LaneHeader::paintBar(QPainter& p, const QRectF& track) const {
  const Theme& t = theme();
  QPainterPath shape;
  shape.addRoundedRect(track, 3, 3);
  p.save();
  p.setClipPath(shape);
  p.fillRect(track, t.track);
  if (const StageEstimate* e = estimate()) {
    const double need = static_cast<double>(e->memory.sum()), there = placement_.laneMemory(lane_);
    const double whole = std::max(need, there);
    const std::int64_t parts[] = {e->memory.weights, e->memory.gradients, e->memory.activations, e->memory.workspace};
    qreal x = track.left();
    for (int i = 0; i < 4 && whole > 0; ++i) {
      const qreal width = track.width() * static_cast<double>(parts[i]) / whole;
      p.fillRect(QRectF(x, track.top(), std::max<qreal>(0, width - 1), track.height()),
                 segmentColour(t, laneColour(t, lane_), i));
      x += width;
    }
  }
  p.restore();
}

}  // namespace nw::ui
