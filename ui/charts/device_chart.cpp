// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/device_chart.hpp"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_parts.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
constexpr int header_height = 34, row_height = 84, least_row_height = 64;
constexpr double span_seconds = 60;

struct DeviceChartTexts {
  Q_DECLARE_TR_FUNCTIONS(DeviceChart)
};

QString shortBytes(double bytes) { return bytesText(bytes); }

QColor colourOf(const MachineRow& row) { return row.series < 0 ? theme().text2 : theme().series[row.series % 6]; }

void addDetail(QStringList& details, double value, const char* unit) {
  if (value >= 0) details += QStringLiteral("%1 %2").arg(qRound(value)).arg(QString::fromUtf8(unit));
}

/// Traffic to and from the GPU; empty if the driver does not report it.
QString traffic(const QString& name, double in, double out) {
  return in < 0 || out < 0 ? QString()
                           : DeviceChartTexts::tr("%1: %2/s in, %3/s out").arg(name, shortBytes(in), shortBytes(out));
}

QString tipOf(const GpuSample& g) {
  QStringList lines{QString::fromStdString(g.name)};
  if (g.process_utilization >= 0)
    lines += DeviceChartTexts::tr("This run: %1 of the GPU").arg(percentText(g.process_utilization / 100, 0));
  if (g.process_memory_bytes >= 0)
    lines += DeviceChartTexts::tr("This run: %1 of memory").arg(shortBytes(g.process_memory_bytes));
  if (g.processor_mhz >= 0) lines += DeviceChartTexts::tr("Clock: %1 MHz").arg(qRound(g.processor_mhz));
  if (g.memory_mhz >= 0) lines += DeviceChartTexts::tr("Memory clock: %1 MHz").arg(qRound(g.memory_mhz));
  lines += traffic(QStringLiteral("PCIe"), g.pcie_in_bytes_per_s, g.pcie_out_bytes_per_s);
  lines += traffic(QStringLiteral("NVLink"), g.nvlink_in_bytes_per_s, g.nvlink_out_bytes_per_s);
  lines.removeAll(QString());
  return lines.join(u'\n');
}

MachineRow processorRow() {
  MachineRow row;
  row.name = DeviceChartTexts::tr("CPU");
  return row;
}

/// A filled curve; `highest` is the top edge's value.
void paintCurve(QPainter& p, const QRectF& where, const QVector<QPointF>& points, double highest,
                const QColor& colour) {
  if (points.isEmpty() || !(highest > 0)) return;
  const auto place = [&](const QPointF& v) {
    return QPointF(where.right() + v.x() / span_seconds * where.width(),
                   where.bottom() - std::clamp(v.y() / highest, 0.0, 1.0) * where.height());
  };
  QPainterPath line(place(points.first()));
  for (const QPointF& v : points) line.lineTo(place(v));
  QPainterPath area = line;
  area.lineTo(place(points.last()).x(), where.bottom());
  area.lineTo(place(points.first()).x(), where.bottom());
  QColor fill = colour;
  fill.setAlphaF(theme().dark ? 0.22F : 0.13F);
  p.fillPath(area, fill);
  p.strokePath(line, QPen(colour, 1.4));
}

void paintFrame(QPainter& p, const QRectF& where) {
  p.setPen(QPen(theme().border1, 1));
  p.drawLine(where.topLeft(), where.topRight());
  p.drawLine(where.bottomLeft(), where.bottomRight());
}

void paintText(QPainter& p, const QRectF& where, const QString& text, TextRole role, const QColor& colour,
               Qt::Alignment side = Qt::AlignLeft) {
  p.setFont(ui::font(role));
  p.setPen(colour);
  p.drawText(where, side | Qt::AlignVCenter, QFontMetricsF(p.font()).elidedText(text, Qt::ElideRight, where.width()));
}

struct Columns {
  QRectF name, utilization, memory;
};
Columns columnsOf(const QRectF& row) {
  constexpr qreal gap = 14, name = 82;
  const qreal rest = row.width() - name - gap,
              load = rest * 0.43;  // memory is wider, because it shows used and planned
  return {QRectF(row.left(), row.top(), name, row.height()), QRectF(row.left() + name, row.top(), load, row.height()),
          QRectF(row.left() + name + load + gap, row.top(), rest - load, row.height())};
}

void paintName(QPainter& p, const QRectF& where, const MachineRow& row) {
  p.fillRect(QRectF(where.left(), where.top() + 8, 3, 30), colourOf(row));
  QRectF line(where.left() + 10, where.top() + 4, where.width() - 12, 18);
  paintText(p, line, row.name, TextRole::node, theme().text1);
  for (const QString& detail : row.details) {
    line.translate(0, line.height() - 1);
    paintText(p, line, detail, TextRole::axis, theme().text2);
  }
}

/// "10.6 GB      planned 10.4": an equal unit is written once if there is little room.
void paintMemory(QPainter& p, const QRectF& where, const MachineRow& row) {
  const QString used = shortBytes(row.memory.last().y());
  paintText(p, where, used, TextRole::node, theme().text1);
  const QRectF room = where.adjusted(QFontMetricsF(p.font()).horizontalAdvance(used) + 8, 0, 0, 0);
  QString other = shortBytes(row.plannedBytes > 0 ? row.plannedBytes : row.capacityBytes);
  const auto words = [&] {
    return row.plannedBytes > 0 ? DeviceChartTexts::tr("planned %1").arg(other)
                                : DeviceChartTexts::tr("of %1").arg(other);
  };
  const bool sameUnit = other.section(u' ', -1) == used.section(u' ', -1);
  if (sameUnit && QFontMetricsF(ui::font(TextRole::axis)).horizontalAdvance(words()) > room.width())
    other = other.section(u' ', 0, -2);
  paintText(p, room, words(), TextRole::axis, theme().text3, Qt::AlignRight);
}

QRectF plot(const QRectF& column) { return column.adjusted(0, 26, 0, -16); }

/// Below a plot: the time it begins at and the time it ends at.
void paintTimes(QPainter& p, const QRectF& plotted) {
  const QRectF where(plotted.left(), plotted.bottom() + 1, plotted.width(), 14);
  paintText(p, where, DeviceChartTexts::tr("%1 s ago").arg(span_seconds), TextRole::small, theme().text3);
  paintText(p, where, DeviceChartTexts::tr("now"), TextRole::small, theme().text3, Qt::AlignRight);
}

/// The value whose time is nearest; NaN: there is none within a few seconds.
double nearest(const QVector<QPointF>& points, double seconds) {
  constexpr double reach = 3;
  double best = qQNaN(), distance = reach;
  for (const QPointF& v : points) {
    if (std::abs(v.x() - seconds) > distance) continue;
    distance = std::abs(v.x() - seconds);
    best = v.y();
  }
  return best;
}

void paintRow(QPainter& p, const QRectF& where, const MachineRow& row) {
  const Columns c = columnsOf(where);
  paintName(p, c.name, row);
  const auto head = [](const QRectF& r) { return QRectF(r.left(), r.top() + 2, r.width(), 20); };
  for (const QRectF& r : {c.utilization, c.memory}) paintTimes(p, plot(r));
  const QColor colour = colourOf(row);
  paintFrame(p, plot(c.utilization));
  if (!row.utilization.isEmpty()) {
    paintText(p, head(c.utilization), percentText(row.utilization.last().y() / 100, 0), TextRole::node, theme().text1);
    paintCurve(p, plot(c.utilization), row.utilization, 100, colour);
  }
  paintFrame(p, plot(c.memory));
  if (row.memory.isEmpty()) return;
  paintMemory(p, head(c.memory), row);
  paintCurve(p, plot(c.memory), row.memory, row.capacityBytes, colour);
  if (row.plannedBytes <= 0 || row.capacityBytes <= 0) return;
  QPen dotted(theme().text3, 1);
  dotted.setDashPattern({1.4, 2.2});
  p.setPen(dotted);
  const QRectF r = plot(c.memory);
  const qreal y = r.bottom() - std::min(1.0, row.plannedBytes / row.capacityBytes) * r.height();
  p.drawLine(QPointF(r.left(), y), QPointF(r.right(), y));
}
}  // namespace

void addPlans(QVector<MachineRow>& rows, const std::vector<int>& gpus, double bytes) {
  for (const int gpu : gpus)
    if (gpu + 1 < rows.size()) rows[gpu + 1].plannedBytes = bytes / static_cast<double>(gpus.size());
}

QVector<MachineRow> machineRows(const std::vector<std::pair<double, DeviceSample>>& samples, double seconds) {
  QVector<MachineRow> rows{processorRow()};
  if (samples.empty()) return rows;
  const auto& [now, newest] = samples.back();
  rows[0].capacityBytes = newest.memory_total_bytes;
  if (newest.process_cpu >= 0)
    rows[0].details += DeviceChartTexts::tr("run %1").arg(percentText(newest.process_cpu / 100, 0));
  if (newest.process_memory_bytes >= 0)
    rows[0].details += DeviceChartTexts::tr("run %1").arg(shortBytes(newest.process_memory_bytes));
  for (std::size_t g = 0; g < newest.gpus.size(); ++g) {
    MachineRow row;
    row.name = DeviceChartTexts::tr("GPU %1").arg(g);
    row.series = static_cast<int>(g);
    row.capacityBytes = newest.gpus[g].memory_total_bytes;
    addDetail(row.details, newest.gpus[g].temperature_c, "°C");
    addDetail(row.details, newest.gpus[g].power_w, "W");
    row.tip = tipOf(newest.gpus[g]);
    rows.append(row);
  }
  const auto add = [](QVector<QPointF>& to, double x, double y) {
    if (y >= 0) to.append({x, y});
  };
  for (const auto& [t, s] : samples) {
    if (t < now - seconds) continue;
    add(rows[0].utilization, t - now, s.cpu);
    add(rows[0].memory, t - now, s.memory_used_bytes);
    for (std::size_t g = 0; g < std::min(s.gpus.size(), newest.gpus.size()); ++g) {
      add(rows[static_cast<qsizetype>(g) + 1].utilization, t - now, s.gpus[g].utilization);
      add(rows[static_cast<qsizetype>(g) + 1].memory, t - now, s.gpus[g].memory_used_bytes);
    }
  }
  return rows;
}

DeviceChart::DeviceChart(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setAccessibleName(tr("Machine"));
  setMouseTracking(true);
}

void DeviceChart::setRows(const QVector<MachineRow>& rows) {
  const bool resized = rows.size() != rows_.size();
  rows_ = rows;
  if (resized) updateGeometry();
  update();
}

QSize DeviceChart::sizeHint() const {
  return {360, header_height + row_height * static_cast<int>(std::max<qsizetype>(1, rows_.size())) + 6};
}
QSize DeviceChart::minimumSizeHint() const {
  return {240, header_height + least_row_height * static_cast<int>(std::max<qsizetype>(1, rows_.size())) + 6};
}

QRectF DeviceChart::rowRect(qsizetype index) const {
  const QRectF inner = QRectF(rect()).adjusted(14, 0, -14, -6);
  const qreal each = (inner.height() - header_height) / static_cast<qreal>(std::max<qsizetype>(1, rows_.size()));
  return {inner.left(), header_height + each * static_cast<qreal>(index), inner.width(), each};
}

qsizetype DeviceChart::rowAt(const QPointF& place) const {
  for (qsizetype i = 0; i < rows_.size(); ++i)
    if (rowRect(i).contains(place)) return i;
  return -1;
}

/// The details that have no room, beside the row's name; the curves have the readout.
bool DeviceChart::event(QEvent* e) {
  if (e->type() != QEvent::ToolTip) return QWidget::event(e);
  const auto* help = static_cast<QHelpEvent*>(e);
  const qsizetype row = rowAt(help->pos());
  const bool named = row >= 0 && columnsOf(rowRect(row)).name.contains(help->pos());
  QToolTip::showText(help->globalPos(), named ? rows_[row].tip : QString(), this);
  return true;
}

void DeviceChart::mouseMoveEvent(QMouseEvent* e) {
  pointed_ = {};
  const qsizetype row = rowAt(e->position());
  if (row >= 0) {
    const Columns c = columnsOf(rowRect(row));
    for (const QRectF& r : {c.utilization, c.memory})
      if (plot(r).contains(e->position()))
        pointed_ = {row, (e->position().x() - r.right()) / r.width() * span_seconds, e->position().x()};
  }
  update();
}

void DeviceChart::leaveEvent(QEvent*) {
  pointed_ = {};
  update();
}

QStringList DeviceChart::readout() const {
  if (pointed_.row < 0 || pointed_.row >= rows_.size()) return {};
  const MachineRow& row = rows_[pointed_.row];
  const double load = nearest(row.utilization, pointed_.seconds), bytes = nearest(row.memory, pointed_.seconds);
  return {tr("%1, %2 s ago").arg(row.name).arg(std::abs(pointed_.seconds), 0, 'f', 0),
          std::isfinite(load) ? percentText(load / 100, 0) : QString(),
          std::isfinite(bytes) ? shortBytes(bytes) : QString()};
}

void DeviceChart::paintPointed(QPainter& p) const {
  const QStringList values = readout();
  if (values.isEmpty()) return;
  const QRectF where = rowRect(pointed_.row);
  const Columns c = columnsOf(where);
  p.setPen(QPen(theme().text3, 1));
  for (const QRectF& r : {plot(c.utilization), plot(c.memory)}) {
    const qreal x = std::round(r.right() + pointed_.seconds / span_seconds * r.width()) + 0.5;
    p.drawLine(QPointF(x, r.top()), QPointF(x, r.bottom()));
  }
  const QColor colour = colourOf(rows_[pointed_.row]);
  QVector<ReadoutRow> rows;
  if (!values[1].isEmpty()) rows.append({colour, tr("utilisation"), values[1]});
  if (!values[2].isEmpty()) rows.append({colour, tr("memory"), values[2]});
  constexpr qreal box = 80;  // stays inside the chart
  const QRectF room(where.left(), std::min(where.top(), height() - box - 8), where.width(), where.height());
  paintReadout(p, room, pointed_.x, values[0], rows);
}

void DeviceChart::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(QPen(theme().border1, 1));
  p.setBrush(theme().chartCard);
  p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius::card, radius::card);
  const QRectF inner = QRectF(rect()).adjusted(14, 0, -14, -6);
  const Columns head = columnsOf(QRectF(inner.left(), 2, inner.width(), header_height));
  paintText(p, head.name, tr("Machine"), TextRole::node, theme().text1);
  paintText(p, head.utilization, tr("Utilisation (%)"), TextRole::secondary, theme().text3);
  paintText(p, head.memory, tr("Memory (bytes)"), TextRole::secondary, theme().text3);
  for (qsizetype i = 0; i < rows_.size(); ++i) {
    const QRectF row = rowRect(i);
    if (i > 0) {
      p.setPen(QPen(theme().border1, 1));
      p.drawLine(row.topLeft(), row.topRight());
    }
    paintRow(p, row, rows_[i]);
  }
  paintPointed(p);
}

}  // namespace nw::ui
