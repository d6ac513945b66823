// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>

#include "ui/charts/chart_parts.hpp"
#include "ui/charts/metric_chart.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
constexpr qreal key_width = 20, key_gap = 6, entry_gap = 14;
constexpr int legend_row_height = 34;

}  // namespace

void paintLineKey(QPainter& p, const QRectF& where, const QColor& colour, int series, bool dashed, bool circle,
                  qreal width) {
  QPen pen(colour, width);
  pen.setCapStyle(Qt::FlatCap);
  const QVector<qreal> dash = seriesDash(series);
  if (dashed && !dash.isEmpty()) pen.setDashPattern(dash);
  p.setPen(pen);
  const qreal y = where.center().y();
  p.drawLine(QPointF(where.left(), y), QPointF(where.right(), y));
  if (!circle) return;
  p.setPen(QPen(colour, 1.6));
  p.setBrush(theme().chartCard);
  p.drawEllipse(where.center(), 3, 3);
}

ChartLegend::ChartLegend(const MetricChart& chart) : chart_(chart) {
  setFixedHeight(legend_row_height);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void ChartLegend::setHeadline(const QString& text) {
  if (text == headline_) return;
  headline_ = text;
  update();
}

void ChartLegend::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  paint(p, rect(), !chart_.hasTitleControl());
}

/// The title, and the unit if it fits whole.
qreal ChartLegend::paintTitle(QPainter& p, const QRectF& where) const {
  const ChartOptions& o = chart_.options();
  p.setFont(ui::font(TextRole::node));
  p.setPen(theme().text1);
  p.drawText(where, Qt::AlignLeft | Qt::AlignVCenter,
             p.fontMetrics().elidedText(o.title, Qt::ElideRight, static_cast<int>(where.width())));
  const qreal x = where.left() + textWidth(ui::font(TextRole::node), o.title) + 8;
  const qreal wide = textWidth(ui::font(TextRole::secondary), o.unit);
  if (x + wide > where.right() + entry_gap / 2) return x;  // half the gap suffices before a headline
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(theme().text3);
  p.drawText(QRectF(x, where.top(), wide + 1, where.height()), Qt::AlignLeft | Qt::AlignVCenter, o.unit);
  return x + wide + entry_gap;
}

qreal ChartLegend::entryWidth(int curve) const {
  return key_width + key_gap + textWidth(ui::font(TextRole::secondary), chart_.style(curve).name) + entry_gap;
}

void ChartLegend::paintEntry(QPainter& p, QRectF where, int curve) const {
  const CurveStyle& s = chart_.style(curve);
  QColor colour = chart_.colour(curve);
  if (s.kind == CurveKind::raw) colour.setAlphaF(0.6F);
  const bool dashed = s.kind == CurveKind::dashed, thin = s.kind == CurveKind::raw || s.kind == CurveKind::future;
  paintLineKey(p, QRectF(where.left(), where.top(), key_width, where.height()), colour, s.series, dashed,
               s.kind == CurveKind::validation, thin ? 1 : 2);
  p.setPen(theme().text2);
  p.setFont(ui::font(TextRole::secondary));
  p.drawText(where.adjusted(key_width + key_gap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, s.name);
}

void ChartLegend::paint(QPainter& p, const QRectF& where, bool titled) const {
  qreal right = where.right();
  if (!headline_.isEmpty()) {
    p.setFont(ui::font(TextRole::button));
    p.setPen(theme().text2);
    p.drawText(where, Qt::AlignRight | Qt::AlignVCenter, headline_);
    right -= textWidth(ui::font(TextRole::button), headline_) + entry_gap;
  }
  const QRectF room(where.topLeft(), QPointF(right, where.bottom()));
  qreal x = titled ? paintTitle(p, room) : where.left() + entry_gap;
  for (int i = 0; i < chart_.curves(); ++i) {
    if (!chart_.style(i).inLegend) continue;
    const qreal width = entryWidth(i);
    if (x + width - entry_gap > right) break;
    paintEntry(p, QRectF(x, where.top(), width, where.height()), i);
    x += width;
  }
}

}  // namespace nw::ui
