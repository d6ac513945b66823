// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/compress/sensitivity_slider.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr double edge = 8, curve_top = 4, curve_height = 30, groove = 42, handle = 6;
constexpr double shown_loss = 0.05;  // of the accuracy, from the top of the curve to its foot

}  // namespace

SensitivitySlider::SensitivitySlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
  setRange(0, most);
  setSingleStep(1);
  setPageStep(10);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SensitivitySlider::setCurve(std::vector<SensitivityPoint> points, double whole, double allowed) {
  points_ = std::move(points);
  whole_ = whole;
  allowed_ = allowed;
  setAccessibleDescription(points_.empty() ? tr("Sensitivity not measured")
                                           : tr("Up to %1 % removed costs at most %2 points")
                                                 .arg(std::lround(100 * freeShare()))
                                                 .arg(100 * allowed_, 0, 'g', 2));
  update();
}

double SensitivitySlider::freeShare() const {
  double free = 0;
  for (const SensitivityPoint& p : points_) {
    if (whole_ - p.accuracy > allowed_ + 1e-12) break;
    free = p.removed;
  }
  return free;
}

double SensitivitySlider::xOf(double share) const { return edge + share * (width() - 2 * edge); }

void SensitivitySlider::paintCurve(QPainter& p) const {
  const Theme& t = theme();
  const auto yOf = [&](double accuracy) {
    return curve_top + curve_height * std::clamp((whole_ - accuracy) / shown_loss, 0.0, 1.0);
  };
  if (const double free = freeShare(); free > 0) {
    p.fillRect(QRectF(xOf(0), curve_top, xOf(free) - xOf(0), curve_height), t.okSoft);
    p.setPen(QPen(t.ok, 1, Qt::DashLine));
    p.drawLine(QPointF(xOf(free), curve_top), QPointF(xOf(free), curve_top + curve_height));
  }
  QPainterPath line(QPointF(xOf(0), yOf(whole_)));
  for (const SensitivityPoint& point : points_) {
    line.lineTo(xOf(point.removed), yOf(point.accuracy));
    if (whole_ - point.accuracy > shown_loss) break;
  }
  p.setPen(QPen(t.series[0], 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.setBrush(Qt::NoBrush);
  p.drawPath(line);
}

void SensitivitySlider::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  if (points_.empty()) {
    p.setFont(ui::font(TextRole::axis));
    p.setPen(t.text3);
    p.drawText(QRectF(edge, curve_top, width() - 2 * edge, curve_height), Qt::AlignLeft | Qt::AlignVCenter,
               p.fontMetrics().elidedText(tr("sensitivity not measured"), Qt::ElideRight, width() - 2 * int(edge)));
  } else {
    paintCurve(p);
  }
  const double x = xOf(value() / 100.0);
  p.setPen(Qt::NoPen);
  p.setBrush(t.track);
  p.drawRoundedRect(QRectF(xOf(0), groove - 1.5, width() - 2 * edge, 3), 1.5, 1.5);
  const QColor strong = isEnabled() ? t.accent : t.border3;
  p.setBrush(strong);
  p.drawRoundedRect(QRectF(xOf(0), groove - 1.5, x - xOf(0), 3), 1.5, 1.5);
  if (value() > 0 && !points_.empty()) p.fillRect(QRectF(x - 0.5, curve_top, 1, groove - curve_top), strong);
  p.setBrush(t.field);
  p.setPen(QPen(strong, 2));
  p.drawEllipse(QPointF(x, groove), handle, handle);
  if (!hasFocus()) return;
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(t.ring, 2));
  p.drawEllipse(QPointF(x, groove), handle + 3, handle + 3);
}

void SensitivitySlider::moveTo(double x) {
  setValue(static_cast<int>(std::lround(100 * (x - edge) / std::max(1.0, width() - 2 * edge))));
}

void SensitivitySlider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  setSliderDown(true);
  moveTo(event->position().x());
}

void SensitivitySlider::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) moveTo(event->position().x());
}

void SensitivitySlider::mouseReleaseEvent(QMouseEvent*) { setSliderDown(false); }

}  // namespace nw::ui
