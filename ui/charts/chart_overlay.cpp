// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_parts.hpp"
#include "ui/charts/metric_chart.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
constexpr qreal spike_width = 8, label_distance = 15, chip_height = 19, label_room = 60, chip_gap = 4;

void paintDot(QPainter& p, const QPointF& at, const QColor& colour, bool open) {
  p.setPen(open ? QPen(colour, 1.6) : QPen(Qt::NoPen));
  p.setBrush(open ? theme().chartCard : colour);
  p.drawEllipse(at, open ? 4 : 3.2, open ? 4 : 3.2);
}
}  // namespace

ChartOverlay::ChartOverlay(const MetricChart& chart, QWidget* plot) : QWidget(plot), chart_(chart) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
}

void ChartOverlay::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  paintCached(p);
  paintCursor(p);
}

void ChartOverlay::paintCached(QPainter& p) const {
  paintMarks(p);
  paintSpikes(p);
  paintEnds(p);
}

void placeChips(QVector<ChipPlace>& chips, qreal low, qreal high) {
  const auto fits = [&](const ChipPlace& chip, qreal width) {
    const qreal left = std::clamp(chip.x - width / 2, low, std::max(low, high - width));
    return std::none_of(chips.begin(), chips.end(), [&](const ChipPlace& other) {
      return &other != &chip && other.width > 0 && left < other.left + other.width + chip_gap &&
             other.left < left + width + chip_gap;
    });
  };
  for (const bool whole : {false, true})
    for (ChipPlace& chip : chips) {
      const qreal width = whole || chip.brief <= 0 ? chip.whole : chip.brief;
      if (width <= 0 || (whole && chip.width <= 0) || !fits(chip, width)) continue;
      chip.width = width;
      chip.left = std::clamp(chip.x - width / 2, low, std::max(low, high - width));
    }
}

void ChartOverlay::paintMarks(QPainter& p) const {
  const QRectF rect = chart_.plotRect();
  const QFont f = ui::font(TextRole::axis);
  const auto wide = [&](const QString& text) { return text.isEmpty() ? 0 : textWidth(f, text) + 12; };
  QVector<ChipPlace> chips;
  for (const ChartMark& mark : chart_.marks()) {
    const qreal x = std::round(chart_.place(mark.x, 0).x()) + 0.5;
    const bool seen = x >= rect.left() - 1 && x <= rect.right() + 1;
    chips.append({x, seen ? wide(mark.text) : 0, seen ? wide(mark.brief) : 0});
    QPen pen(theme().border3, 1);
    pen.setDashPattern({3, 3});
    p.setPen(pen);
    if (seen) p.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
  }
  placeChips(chips, rect.left(), rect.right());
  for (qsizetype i = 0; i < chips.size(); ++i) {
    if (chips[i].width <= 0) continue;
    const ChartMark& mark = chart_.marks()[i];
    const QRectF chip(chips[i].left, rect.top() - chip_height - 2, chips[i].width, chip_height);
    p.setPen(QPen(theme().border2, 1));
    p.setBrush(theme().raised);
    p.drawRoundedRect(chip, 3, 3);
    p.setPen(theme().text2);
    p.setFont(f);
    p.drawText(chip, Qt::AlignCenter, chips[i].width == chips[i].whole ? mark.text : mark.brief);
  }
}

/// A triangle at the upper edge for each value above the axis, and how large the largest is.
void ChartOverlay::paintSpikes(QPainter& p) const {
  const QRectF rect = chart_.plotRect();
  qreal last = -1e9;
  QPointF largest(qQNaN(), -qInf());
  p.setPen(Qt::NoPen);
  p.setBrush(theme().warn);
  for (const QPointF& spike : chart_.spikes()) {
    if (spike.y() > largest.y()) largest = spike;
    const qreal x = chart_.place(spike.x(), 0).x();
    if (std::abs(x - last) < spike_width) continue;
    last = x;
    p.drawPolygon(QPolygonF({{x, rect.top()},
                             {x - spike_width / 2, rect.top() + spike_width},
                             {x + spike_width / 2, rect.top() + spike_width}}));
  }
  if (std::isnan(largest.x())) return;
  const QFont f = ui::font(TextRole::small);
  const QString words = chart_.formatted(largest.y());
  const qreal x = chart_.place(largest.x(), 0).x(), wide = textWidth(f, words);
  const qreal left = x + spike_width + wide < rect.right() ? x + spike_width : x - spike_width - wide;
  p.setFont(f);
  p.setPen(theme().text2);
  p.drawText(QRectF(left, rect.top() - 2, wide + 2, 14), Qt::AlignLeft | Qt::AlignVCenter, words);
}

/// The x position of the curve's end, or of the furthest end of another labelled curve that would cross its label.
qreal ChartOverlay::labelX(int curve, const QVector<int>& labelled) const {
  const auto end = [this](int i) { return chart_.place(chart_.curveX(i).last(), 0).x(); };
  qreal x = end(curve);
  for (const int other : labelled)
    if (end(other) > x && end(other) < end(curve) + label_room) x = end(other);
  return x;
}

void ChartOverlay::paintEnds(QPainter& p) const {
  const QRectF rect = chart_.plotRect();
  QVector<int> which;
  QVector<double> places;
  for (int i = 0; i < chart_.curves(); ++i) {
    if (!chart_.style(i).endLabel || chart_.curveX(i).isEmpty()) continue;
    const QPointF end = chart_.place(chart_.curveX(i).last(), chart_.curveY(i).last());
    if (!std::isfinite(end.y())) continue;
    if (rect.adjusted(-1, -1, 1, 1).contains(end)) paintDot(p, end, chart_.colour(i), false);
    which.append(i);
    places.append(std::clamp(end.y(), rect.top(), rect.bottom()));
  }
  places = pushedApart(places, label_distance, rect.top(), rect.bottom());
  p.setFont(ui::font(TextRole::button));
  for (qsizetype k = 0; k < which.size(); ++k) {
    const int i = which[k];
    const qreal x = labelX(i, which) + 9;
    const QString words = chart_.formatted(chart_.curveY(i).last());
    const QRectF where(x, places[k] - 8, textWidth(p.font(), words), 16);
    QColor ground = theme().chartCard;
    ground.setAlphaF(0.82F);
    p.fillRect(where.adjusted(-2, 0, 2, 0), ground);  // other curves may be drawn there
    p.setPen(chart_.colour(i));
    p.drawText(where.adjusted(0, -2, 4, 2), Qt::AlignLeft | Qt::AlignVCenter, words);
  }
}

void ChartOverlay::paintCursor(QPainter& p) const {
  const double at = chart_.cursor().x();
  if (!std::isfinite(at)) return;
  const QRectF rect = chart_.plotRect();
  const qreal x = std::round(chart_.place(at, 0).x()) + 0.5;
  if (x < rect.left() || x > rect.right()) return;
  p.setPen(QPen(theme().text3, 1));
  p.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
  for (int i = 0; i < chart_.curves(); ++i) {
    const CurveStyle& s = chart_.style(i);
    const double value = chart_.valueAt(i, at);
    if (!std::isfinite(value) || s.kind == CurveKind::raw || s.kind == CurveKind::future || s.kind == CurveKind::dots)
      continue;
    const QPointF place = chart_.place(at, value);
    if (rect.contains(place)) paintDot(p, place, chart_.colour(i), true);
  }
  if (chart_.isPointedAt()) paintTooltip(p, x);
}

void ChartOverlay::paintTooltip(QPainter& p, qreal x) const {
  const double at = chart_.cursor().x();
  QVector<ReadoutRow> rows;
  for (int i = 0; i < chart_.curves(); ++i) {
    const double value = chart_.valueAt(i, at);
    if (chart_.style(i).inTooltip && std::isfinite(value))
      rows.append({chart_.colour(i), chart_.style(i).name, chart_.formatted(value)});
  }
  const QString head = QStringLiteral("%1 %2").arg(chart_.options().xName, QString::number(at, 'f', 2));
  paintReadout(p, chart_.plotRect(), x, head, rows);
}

}  // namespace nw::ui
