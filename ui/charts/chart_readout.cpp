// SPDX-License-Identifier: GPL-3.0-or-later
// The box with the values under the pointer, and the titles of axes, as all charts paint them.
#include <QPainter>
#include <algorithm>

#include "ui/charts/chart_parts.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
constexpr qreal line = 19, padding = 10, key = 12, between = 20, distance = 14, least_width = 90;

qreal widthOf(const QString& head, const QVector<ReadoutRow>& rows) {
  const QFont body = ui::font(TextRole::secondary), bold = ui::font(TextRole::button);
  qreal width = std::max(least_width, textWidth(body, head));
  for (const ReadoutRow& row : rows)
    width = std::max(width, key + 8 + textWidth(body, row.name) + between + textWidth(bold, row.value));
  return width + 2 * padding;
}

void paintRow(QPainter& p, const QRectF& where, const ReadoutRow& row) {
  p.fillRect(QRectF(where.left(), where.center().y() - 1, key, 2), row.colour);
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(theme().text1);
  p.drawText(where.adjusted(key + 8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, row.name);
  p.setFont(ui::font(TextRole::button));
  p.drawText(where, Qt::AlignRight | Qt::AlignVCenter, row.value);
}
}  // namespace

void paintReadout(QPainter& p, const QRectF& plot, qreal x, const QString& head, const QVector<ReadoutRow>& rows) {
  const qreal width = widthOf(head, rows);
  const qreal left = x + distance + width < plot.right() ? x + distance : std::max(plot.left(), x - distance - width);
  const QRectF box(left, plot.top() + 6, width, line * (static_cast<qreal>(rows.size()) + 1) + 2 * padding - 4);
  p.setPen(QPen(theme().border2, 1));
  p.setBrush(theme().overlay);
  p.drawRoundedRect(box, 7, 7);
  QRectF row(box.left() + padding, box.top() + padding - 2, width - 2 * padding, line);
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(theme().text2);
  p.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, head);
  for (const ReadoutRow& each : rows) {
    row.translate(0, line);
    paintRow(p, row, each);
  }
}

QString axisTitle(const QString& quantity, const QString& unit, qreal room) {
  const QFont f = ui::font(TextRole::axis);
  const QString whole = unit.isEmpty() ? quantity : QStringLiteral("%1 (%2)").arg(quantity, unit);
  if (textWidth(f, whole) <= room) return whole;
  return textWidth(f, quantity) <= room ? quantity : QString();  // the chart's title row names it too
}

void paintAxisTitle(QPainter& p, const QRectF& where, const QString& title) {
  p.save();
  p.translate(where.center());
  p.rotate(-90);
  p.setFont(ui::font(TextRole::axis));
  p.setPen(theme().text2);
  p.drawText(QRectF(-where.height() / 2, -where.width() / 2, where.height(), where.width()), Qt::AlignCenter, title);
  p.restore();
}

}  // namespace nw::ui
