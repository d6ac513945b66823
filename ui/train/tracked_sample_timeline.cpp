// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/tracked_sample_timeline.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {

constexpr qreal side = 7, chart_height = 40, band_top = 50, band_height = 8, mark = 4.5, steps_height = 16;

void paintMark(QPainter& p, QPointF tip, bool up, const QColor& colour) {
  QPolygonF triangle;
  const qreal down = up ? mark * 1.6 : -mark * 1.6;
  triangle << tip << tip + QPointF(-mark, down) << tip + QPointF(mark, down);
  p.setPen(Qt::NoPen);
  p.setBrush(colour);
  p.drawPolygon(triangle);
}

}  // namespace

TrackedSampleTimeline::TrackedSampleTimeline(QWidget* parent) : QAbstractSlider(parent) {
  setOrientation(Qt::Horizontal);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Training steps"));
  setRange(0, 0);
}

void TrackedSampleTimeline::setHistory(std::shared_ptr<const TrackedSampleHistory> history) {
  const bool atEnd = value() == maximum();
  history_ = std::move(history);
  setRange(0, std::max(0, records() - 1));
  setPageStep(std::max(1, records() / 10));
  if (atEnd) setValue(maximum());
  update();
}

void TrackedSampleTimeline::setProbe(int probe) {
  probe_ = probe;
  update();
}

QRectF TrackedSampleTimeline::chartRect() const { return {side, 2, width() - 2 * side, chart_height}; }
QRectF TrackedSampleTimeline::bandRect() const { return {side, band_top, width() - 2 * side, band_height}; }

qreal TrackedSampleTimeline::xOf(int record) const {
  return side + (maximum() > 0 ? (width() - 2 * side) * record / maximum() : 0);
}

int TrackedSampleTimeline::recordAt(qreal x) const {
  const qreal share = width() > 2 * side ? (x - side) / (width() - 2 * side) : 0;
  return std::clamp(static_cast<int>(std::lround(share * maximum())), 0, maximum());
}

void TrackedSampleTimeline::sliderChange(SliderChange change) {
  QAbstractSlider::sliderChange(change);
  update();
}

void TrackedSampleTimeline::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) setValue(recordAt(event->position().x()));
}

void TrackedSampleTimeline::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) setValue(recordAt(event->position().x()));
}

void TrackedSampleTimeline::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  if (records() == 0) return;
  paintShare(p);
  paintTurns(p);
  paintSteps(p);
  paintCursor(p);
}

void TrackedSampleTimeline::paintShare(QPainter& p) const {
  const Theme& t = theme();
  const QRectF where = chartRect();
  p.fillRect(where, t.sunken);
  QPainterPath line;
  for (int r = 0; r < records(); ++r) {
    const auto correct = static_cast<double>(correct_at(*history_, static_cast<std::size_t>(r)));
    const QPointF at(xOf(r), where.bottom() - where.height() * correct / static_cast<double>(history_->probes.size()));
    r == 0 ? line.moveTo(at) : line.lineTo(at);
  }
  QPainterPath area = line;
  area.lineTo(xOf(records() - 1), where.bottom());
  area.lineTo(xOf(0), where.bottom());
  QColor soft = t.series[0];
  soft.setAlphaF(0.18F);
  p.fillPath(area, soft);
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(t.series[0], 1.6));
  p.drawPath(line);
}

/// The chosen image: a filled band while its prediction is correct, a mark where that begins or ends.
void TrackedSampleTimeline::paintTurns(QPainter& p) const {
  const Theme& t = theme();
  const QRectF where = bandRect();
  const auto probe = static_cast<std::size_t>(probe_);
  if (probe >= history_->probes.size()) return;
  p.setPen(Qt::NoPen);
  p.setBrush(t.track);
  p.drawRoundedRect(where, 2, 2);
  const LearningMilestones turns = turns_of(*history_, probe);
  for (std::size_t i = 0; i < turns.learnt.size(); ++i) {  // each interval from learned to forgotten
    const int end = i < turns.forgotten.size() ? static_cast<int>(turns.forgotten[i]) : records() - 1;
    p.fillRect(QRectF(QPointF(xOf(static_cast<int>(turns.learnt[i])), where.top()), QPointF(xOf(end), where.bottom())),
               t.ok);
  }
  for (const std::size_t r : turns.learnt) paintMark(p, {xOf(static_cast<int>(r)), where.bottom() + 1}, true, t.ok);
  for (const std::size_t r : turns.forgotten)
    paintMark(p, {xOf(static_cast<int>(r)), where.bottom() + 1}, false, t.warn);
}

void TrackedSampleTimeline::paintSteps(QPainter& p) const {
  p.setFont(ui::font(TextRole::axis));
  p.setPen(theme().text2);
  const QRectF where(side, height() - steps_height, width() - 2 * side, steps_height);
  p.drawText(where, Qt::AlignLeft | Qt::AlignVCenter, grouped(history_->steps.front()));
  if (records() > 1)
    p.drawText(where, Qt::AlignRight | Qt::AlignVCenter, tr("step %1").arg(grouped(history_->steps.back())));
}

void TrackedSampleTimeline::paintCursor(QPainter& p) const {
  const Theme& t = theme();
  const qreal x = xOf(value());
  p.setPen(QPen(t.text1, 1.4));
  p.drawLine(QPointF(x, 0), QPointF(x, band_top + band_height + 2));
  p.setPen(QPen(hasFocus() ? t.ring : t.text1, hasFocus() ? 2.4 : 1.4));
  p.setBrush(t.chartCard);
  p.drawEllipse(QPointF(x, chartRect().top() + 4), 5, 5);
}

}  // namespace nw::ui
