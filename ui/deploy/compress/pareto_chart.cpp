// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/compress/pareto_chart.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr double left_edge = 46, right_edge = 16, top_edge = 14, bottom_edge = 24, near = 12;
constexpr int ticks_up = 4;

double costOf(const ParetoPoint& p, CostAxis axis) { return p.cost[static_cast<std::size_t>(axis)]; }

/// A step of 1, 2 or 5 times a power of ten, at least `least`.
double roundStep(double least) {
  const double power = std::pow(10, std::floor(std::log10(std::max(least, 1e-9))));
  for (const double m : {1.0, 2.0, 5.0})
    if (m * power >= least) return m * power;
  return 10 * power;
}

}  // namespace

/// Places of values; costs lie on a logarithmic axis.
struct ParetoChart::Frame {
  QRectF area;
  double low = 0, high = 1, least = 1, most = 10;
  double x(double cost) const {
    return area.left() + area.width() * (std::log(cost) - std::log(least)) / (std::log(most) - std::log(least));
  }
  double y(double accuracy) const { return area.bottom() - area.height() * (accuracy - low) / (high - low); }
};

std::vector<std::size_t> paretoFront(const std::vector<ParetoPoint>& points, CostAxis axis) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (costOf(points[i], axis) > 0) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double first = costOf(points[a], axis), second = costOf(points[b], axis);
    return first != second ? first < second : points[a].accuracy > points[b].accuracy;
  });
  std::vector<std::size_t> front;
  for (const std::size_t i : order)
    if (front.empty() || points[i].accuracy > points[front.back()].accuracy) front.push_back(i);
  return front;
}

QString costText(CostAxis axis, double cost) {
  if (axis == CostAxis::bytes) return bytesText(cost);
  if (axis == CostAxis::multiply_adds) return rounded(cost);
  return millisecondsText(cost);
}

ParetoChart::ParetoChart(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("paretoChart"));
  setAccessibleName(tr("Accuracy over cost"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ParetoChart::setPoints(std::vector<ParetoPoint> points) {
  points_ = std::move(points);
  current_ = std::min(current_, static_cast<int>(points_.size()) - 1);
  refreshDescription();
  update();
}

void ParetoChart::setAxis(CostAxis axis) {
  axis_ = axis;
  refreshDescription();
  update();
}

void ParetoChart::setPlanned(std::array<double, cost_axes> cost) {
  if (cost == planned_) return;
  planned_ = cost;
  refreshDescription();
  update();
}

QString ParetoChart::describe(const ParetoPoint& p) const {
  return tr("%1: %2, accuracy %3 (%4 to %5)")
      .arg(inOneLine(p.name), costOf(p, axis_) > 0 ? costText(axis_, costOf(p, axis_)) : tr("not measured"),
           percentText(p.accuracy, 2), percentText(p.low, 2), percentText(p.high, 2));
}

void ParetoChart::refreshDescription() {
  QStringList all;
  for (const ParetoPoint& p : points_) all << describe(p);
  if (const double planned = planned_[static_cast<std::size_t>(axis_)]; planned > 0)
    all << tr("The plan, predicted: %1").arg(costText(axis_, planned));
  setAccessibleDescription(all.join(QStringLiteral("; ")));
}

ParetoChart::Frame ParetoChart::frame() const {
  Frame f;
  f.area = QRectF(left_edge, top_edge, std::max(10.0, width() - left_edge - right_edge),
                  std::max(10.0, height() - top_edge - bottom_edge));
  double low = 1, high = 0, least = 1e300, most = 0;
  const auto widen = [&](double cost) {
    if (cost <= 0) return;
    least = std::min(least, cost);
    most = std::max(most, cost);
  };
  for (const ParetoPoint& p : points_) {
    low = std::min(low, p.low);
    high = std::max(high, p.high);
    widen(costOf(p, axis_));
  }
  widen(planned_[static_cast<std::size_t>(axis_)]);
  if (low > high) low = 0, high = 1;
  const double space = std::max(0.002, 0.08 * (high - low));
  f.low = std::max(0.0, low - space);
  f.high = std::min(1.0 + space / 2, high + space);
  f.least = most > 0 ? least / 1.35 : 1;
  f.most = most > 0 ? most * 1.35 : 10;
  return f;
}

QPointF ParetoChart::placeOf(std::size_t point) const {
  const Frame f = frame();
  return {f.x(costOf(points_[point], axis_)), f.y(points_[point].accuracy)};
}

void ParetoChart::paintAxes(QPainter& p, const Frame& f) const {
  const Theme& t = theme();
  p.setFont(ui::font(TextRole::axis));
  const double step = roundStep((f.high - f.low) / ticks_up);
  const int decimals = step < 0.001 ? 2 : step < 0.01 ? 1 : 0;
  for (double v = std::ceil(f.low / step) * step; v <= std::min(1.0, f.high) + 1e-12; v += step) {
    p.fillRect(QRectF(f.area.left(), f.y(v), f.area.width(), 1), t.border1);
    p.setPen(t.text2);
    p.drawText(QRectF(0, f.y(v) - 8, left_edge - 8, 16), Qt::AlignRight | Qt::AlignVCenter,
               QString::number(100 * v, 'f', decimals));
  }
  p.fillRect(QRectF(f.area.left(), f.area.bottom(), f.area.width(), 1), t.border2);
  double free = -1e9;
  for (int power = -6; power < 15; ++power)
    for (const double m : {1.0, 2.0, 5.0}) {
      const double v = m * std::pow(10, power), x = f.x(v);
      const QString text = costText(axis_, v);
      const double half = textWidth(ui::font(TextRole::axis), text) / 2;
      if (v < f.least || v > f.most || x - half < std::max(free, f.area.left() - 10) || x + half > width()) continue;
      p.drawText(QRectF(x - half - 2, f.area.bottom() + 4, 2 * half + 4, 16), Qt::AlignHCenter, text);
      free = x + half + 10;
    }
}

void ParetoChart::paintPoints(QPainter& p, const Frame& f) const {
  const Theme& t = theme();
  const std::vector<std::size_t> front = paretoFront(points_, axis_);
  QPainterPath line;
  for (std::size_t i = 0; i < front.size(); ++i) {
    const QPointF at = placeOf(front[i]);
    if (i == 0) line.moveTo(at);
    line.lineTo(at.x(), line.currentPosition().y());
    line.lineTo(at);
  }
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(t.series[0], 1.6));
  p.drawPath(line);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ParetoPoint& point = points_[i];
    if (costOf(point, axis_) <= 0) continue;
    const bool best = std::find(front.begin(), front.end(), i) != front.end();
    const QColor colour = point.shown ? t.accent : point.original ? t.series[1] : best ? t.series[0] : t.text3;
    const QPointF at = placeOf(i);
    p.setPen(QPen(colour, 1.4));
    for (const double end : {point.low, point.high}) {
      p.drawLine(at, QPointF(at.x(), f.y(end)));
      p.drawLine(QPointF(at.x() - 3, f.y(end)), QPointF(at.x() + 3, f.y(end)));
    }
    p.setBrush(point.original || (!best && !point.shown) ? t.chartCard : colour);
    if (point.original) {
      p.drawPolygon(QPolygonF({at + QPointF(0, -6), at + QPointF(6, 0), at + QPointF(0, 6), at + QPointF(-6, 0)}));
    } else {
      p.drawEllipse(at, point.shown ? 5.5 : 4, point.shown ? 5.5 : 4);
    }
    if (hasFocus() && static_cast<int>(i) == current_) {
      p.setPen(QPen(t.ring, 2));
      p.setBrush(Qt::NoBrush);
      p.drawEllipse(at, 10, 10);
    }
  }
}

void ParetoChart::paintPlanned(QPainter& p, const Frame& f) const {
  const double cost = planned_[static_cast<std::size_t>(axis_)];
  if (cost <= 0) return;
  const Theme& t = theme();
  const double x = f.x(cost);
  p.setPen(QPen(t.accent, 1.4, Qt::DashLine));
  p.drawLine(QPointF(x, f.area.top()), QPointF(x, f.area.bottom()));
  const QString text = tr("plan, predicted: %1").arg(costText(axis_, cost));
  p.setFont(ui::font(TextRole::small));
  const double wide = textWidth(p.font(), text) + 8;
  const double from = std::clamp(x + 5, f.area.left(), std::max(f.area.left(), width() - wide));
  const bool right = x + 5 + wide <= width();
  const QRectF box(right ? from : std::max(f.area.left(), x - wide - 4), f.area.bottom() - 18, wide, 16);
  p.setPen(Qt::NoPen);
  p.setBrush(t.chartCard);
  p.drawRect(box);
  p.setPen(t.accentText);
  p.drawText(box, Qt::AlignCenter, text);
}

void ParetoChart::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const Frame f = frame();
  for (const ParetoPoint& point : points_) {
    if (!point.original) continue;
    QColor band = t.series[1];
    band.setAlphaF(0.1F);
    p.fillRect(QRectF(f.area.left(), f.y(point.high), f.area.width(), f.y(point.low) - f.y(point.high)), band);
    p.setFont(ui::font(TextRole::small));
    p.setPen(t.text2);
    p.drawText(QRectF(f.area.left() + 6, f.y(point.high), f.area.width() - 6, f.y(point.low) - f.y(point.high)),
               Qt::AlignLeft | Qt::AlignVCenter, tr("95 % interval of the original"));
  }
  paintAxes(p, f);
  paintPlanned(p, f);
  paintPoints(p, f);
}

int ParetoChart::pointAt(const QPointF& at) const {
  int best = -1;
  double least = near;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (costOf(points_[i], axis_) <= 0) continue;
    const QPointF d = placeOf(i) - at;
    if (const double far = std::hypot(d.x(), d.y()); far < least) least = far, best = static_cast<int>(i);
  }
  return best;
}

bool ParetoChart::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int at = pointAt(help->pos());
    if (at >= 0)
      QToolTip::showText(help->globalPos(), describe(points_[static_cast<std::size_t>(at)]), this);
    else
      QToolTip::hideText();
    return true;
  }
  return QWidget::event(event);
}

void ParetoChart::mousePressEvent(QMouseEvent* event) {
  const int at = pointAt(event->position());
  if (at < 0) return;
  current_ = at;
  update();
  Q_EMIT chosen(points_[static_cast<std::size_t>(at)].run);
}

void ParetoChart::mouseMoveEvent(QMouseEvent* event) {
  setCursor(pointAt(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void ParetoChart::keyPressEvent(QKeyEvent* event) {
  const int count = static_cast<int>(points_.size());
  const bool forward = event->key() == Qt::Key_Right, back = event->key() == Qt::Key_Left;
  if ((!forward && !back && event->key() != Qt::Key_Return) || count == 0) return QWidget::keyPressEvent(event);
  if (event->key() == Qt::Key_Return) {
    if (current_ >= 0) Q_EMIT chosen(points_[static_cast<std::size_t>(current_)].run);
    return;
  }
  current_ = std::clamp(current_ + (forward ? 1 : -1), 0, count - 1);
  QToolTip::showText(mapToGlobal(QPoint(20, 20)), describe(points_[static_cast<std::size_t>(current_)]), this);
  update();
}

}  // namespace nw::ui
