// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/evidence_chart.hpp"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "kernels/printable.hpp"
#include "ui/charts/chart_parts.hpp"
#include "ui/charts/chart_scale.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
constexpr int evidence_height = 128;
constexpr qreal left_room = 52, bottom_room = 18, names_height = 20;

struct EvidenceTexts {
  Q_DECLARE_TR_FUNCTIONS(EvidenceChart)
};

QString axisName(const std::string& unit) {
  if (unit == "epoch") return EvidenceTexts::tr("epoch");
  if (unit == "step") return EvidenceTexts::tr("step");
  if (unit == "layer") return EvidenceTexts::tr("layer");
  return QString::fromStdString(printable(unit));
}

/// Only the points that can be drawn.
doctor::Series finitePoints(const doctor::Series& all) {
  doctor::Series out{all.name, all.x_unit, {}, {}};
  for (std::size_t i = 0; i < std::min(all.x.size(), all.y.size()); ++i) {
    if (!std::isfinite(all.x[i]) || !std::isfinite(all.y[i])) continue;
    out.x.push_back(all.x[i]);
    out.y.push_back(all.y[i]);
  }
  return out;
}

void widen(const std::vector<double>& values, double& low, double& high) {
  for (const double v : values) low = std::min(low, v), high = std::max(high, v);
}
}  // namespace

EvidenceChart::EvidenceChart(std::vector<doctor::Series> series, QWidget* parent) : QWidget(parent) {
  setFixedHeight(evidence_height);
  double none = qInf();
  xLow_ = yLow_ = none;
  xHigh_ = yHigh_ = -none;
  QStringList names;
  for (const doctor::Series& s : series) {
    series_.push_back(finitePoints(s));
    widen(series_.back().x, xLow_, xHigh_);
    widen(series_.back().y, yLow_, yHigh_);
    names += QString::fromStdString(printable(s.name));
  }
  if (!(xHigh_ > xLow_)) xLow_ = std::isfinite(xLow_) ? xLow_ - 0.5 : 0, xHigh_ = xLow_ + 1;
  if (!(yHigh_ > yLow_)) yLow_ = std::isfinite(yLow_) ? yLow_ - 0.5 : 0, yHigh_ = yLow_ + 1;
  setAccessibleName(tr("Evidence: %1").arg(names.join(QStringLiteral(", "))));
}

void EvidenceChart::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QRectF plot(left_room, names_height + 2, width() - left_room - 10, height() - names_height - bottom_room - 6);
  paintNames(p, QRectF(left_room, 0, plot.width(), names_height));
  paintLimits(p, plot);
  for (std::size_t i = 0; i < series_.size(); ++i) {
    QPolygonF line;
    for (std::size_t k = 0; k < series_[i].x.size(); ++k)
      line << QPointF(plot.left() + plot.width() * (series_[i].x[k] - xLow_) / (xHigh_ - xLow_),
                      plot.bottom() - plot.height() * (series_[i].y[k] - yLow_) / (yHigh_ - yLow_));
    const QColor colour = theme().series[i % 6];
    QPen pen(colour, 1.6, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (const QVector<qreal> dash = seriesDash(static_cast<int>(i % 6)); !dash.isEmpty()) pen.setDashPattern(dash);
    p.setPen(pen);
    p.setBrush(Qt::NoBrush);
    p.drawPolyline(line);
    p.setPen(Qt::NoPen);
    p.setBrush(colour);
    if (!line.isEmpty()) p.drawEllipse(line.last(), 2.5, 2.5);
  }
}

void EvidenceChart::paintNames(QPainter& p, const QRectF& where) const {
  qreal x = where.left();
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const QString name = QString::fromStdString(printable(series_[i].name));
    paintLineKey(p, QRectF(x, where.top(), 22, where.height()), theme().series[i % 6], static_cast<int>(i % 6), true,
                 false, 1.6);
    p.setFont(ui::font(TextRole::secondary));
    p.setPen(theme().text2);
    const QRectF room(x + 28, where.top(), std::max(0.0, where.right() - x - 28), where.height());
    p.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
               QFontMetricsF(p.font()).elidedText(name, Qt::ElideRight, room.width()));
    x += 28 + textWidth(p.font(), name) + 16;
    if (x > where.right() - 40) return;
  }
}

/// The ends of both axes.
void EvidenceChart::paintLimits(QPainter& p, const QRectF& plot) const {
  p.setPen(QPen(theme().border1, 1));
  p.drawLine(plot.topLeft(), plot.topRight());
  p.drawLine(plot.bottomLeft(), plot.bottomRight());
  p.setFont(ui::font(TextRole::axis));
  p.setPen(theme().text3);
  const auto number = [](double v) { return tickText(QString::number(v, 'g', 3).toDouble()); };
  p.drawText(QRectF(0, plot.top() - 8, left_room - 6, 16), Qt::AlignRight | Qt::AlignVCenter, number(yHigh_));
  p.drawText(QRectF(0, plot.bottom() - 8, left_room - 6, 16), Qt::AlignRight | Qt::AlignVCenter, number(yLow_));
  const QRectF below(plot.left(), plot.bottom() + 2, plot.width(), bottom_room);
  p.drawText(below, Qt::AlignLeft | Qt::AlignTop, number(xLow_));
  p.drawText(below, Qt::AlignRight | Qt::AlignTop, number(xHigh_));
  if (!series_.empty()) p.drawText(below, Qt::AlignHCenter | Qt::AlignTop, axisName(series_.front().x_unit));
}

}  // namespace nw::ui
