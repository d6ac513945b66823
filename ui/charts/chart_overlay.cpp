// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_parts.hpp"
#include "ui/charts/metric_chart.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
constexpr qreal label_distance = 15, chip_height = 19, label_room = 60;

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
  paintEnds(p);
}

void ChartOverlay::paintMarks(QPainter& p) const {
  const QRectF rect = chart_.plotRect();
  qreal freeFrom = -1e9;
  for (const ChartMark& mark : chart_.marks()) {
    const qreal x = std::round(chart_.place(mark.x, 0).x()) + 0.5;
    if (x < rect.left() - 1 || x > rect.right() + 1) continue;
    QPen pen(theme().border3, 1);
    pen.setDashPattern({3, 3});
    p.setPen(pen);
    p.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
    const QFont f = ui::font(TextRole::axis);
    const qreal width = textWidth(f, mark.text) + 12;
    const qreal left = std::clamp(x - width / 2, rect.left(), std::max(rect.left(), rect.right() - width));
    if (mark.text.isEmpty() || left < freeFrom)
      continue;  // the chip would cover the previous one: only its line is drawn
    freeFrom = left + width + 4;
    const QRectF chip(left, rect.top() - chip_height - 2, width, chip_height);
    p.setPen(QPen(theme().border2, 1));
    p.setBrush(theme().raised);
    p.drawRoundedRect(chip, 3, 3);
    p.setPen(theme().text2);
    p.setFont(f);
    p.drawText(chip, Qt::AlignCenter, mark.text);
  }
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
  constexpr qreal line = 19, padding = 10, key = 12;
  const QFont body = ui::font(TextRole::secondary), bold = ui::font(TextRole::button);
  QVector<int> rows;
  qreal width = 90;
  for (int i = 0; i < chart_.curves(); ++i) {
    const double value = chart_.valueAt(i, chart_.cursor().x());
    if (!chart_.style(i).inTooltip || !std::isfinite(value)) continue;
    rows.append(i);
    width = std::max(width,
                     key + 8 + textWidth(body, chart_.style(i).name) + 20 + textWidth(bold, chart_.formatted(value)));
  }
  const QString head =
      QStringLiteral("%1 %2").arg(chart_.options().xName, QString::number(chart_.cursor().x(), 'f', 2));
  width = std::max(width, textWidth(body, head)) + 2 * padding;
  const QRectF rect = chart_.plotRect();
  const qreal left = x + 14 + width < rect.right() ? x + 14 : x - 14 - width;
  const QRectF box(left, rect.top() + 6, width, line * (static_cast<qreal>(rows.size()) + 1) + 2 * padding - 4);
  p.setPen(QPen(theme().border2, 1));
  p.setBrush(theme().overlay);
  p.drawRoundedRect(box, 7, 7);
  QRectF row(box.left() + padding, box.top() + padding - 2, width - 2 * padding, line);
  p.setFont(body);
  p.setPen(theme().text2);
  p.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, head);
  for (const int i : rows) {
    row.translate(0, line);
    p.fillRect(QRectF(row.left(), row.center().y() - 1, key, 2), chart_.colour(i));
    p.setFont(body);
    p.setPen(theme().text1);
    p.drawText(row.adjusted(key + 8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, chart_.style(i).name);
    p.setFont(bold);
    p.drawText(row, Qt::AlignRight | Qt::AlignVCenter, chart_.formatted(chart_.valueAt(i, chart_.cursor().x())));
  }
}

}  // namespace nw::ui
