// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/rate_chart.hpp"

#include <QPainter>
#include <algorithm>

#include "ui/theme/theme.hpp"

namespace nw::ui {

RateChart::RateChart(const QString& name, QWidget* parent) : QWidget(parent) {
  setAccessibleName(name);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RateChart::setValues(std::vector<double> values, int places, const QString& left, const QString& right) {
  values_ = std::move(values);
  places_ = std::max(1, places);
  left_ = left;
  right_ = right;
  const double largest = values_.empty() ? 0 : *std::max_element(values_.begin(), values_.end());
  setAccessibleDescription(tr("largest %1").arg(rounded(largest)));
  update();
}

void RateChart::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  const QRectF area(0, 16, width(), height() - 34);
  const double largest = values_.empty() ? 0 : *std::max_element(values_.begin(), values_.end());
  p.setFont(ui::font(TextRole::axis));
  p.setPen(t.text2);
  if (largest > 0) p.drawText(QRectF(0, 0, width(), 15), Qt::AlignLeft | Qt::AlignTop, rounded(largest));
  p.fillRect(QRectF(area.left(), area.bottom(), area.width(), 1), t.border2);
  p.drawText(QRectF(0, area.bottom() + 2, width(), 15), Qt::AlignLeft | Qt::AlignTop, left_);
  p.drawText(QRectF(0, area.bottom() + 2, width(), 15), Qt::AlignRight | Qt::AlignTop, right_);
  if (largest <= 0) return;
  const double step = area.width() / places_;
  const auto shown = std::min<std::size_t>(values_.size(), static_cast<std::size_t>(places_));
  for (std::size_t i = 0; i < shown; ++i) {
    const double v = values_[values_.size() - shown + i] / largest * area.height();
    const double x = area.left() + (static_cast<double>(places_) - static_cast<double>(shown - i)) * step;
    p.fillRect(QRectF(x, area.bottom() - v, std::max(1.0, step - 1), v), t.series[0]);
  }
}

}  // namespace nw::ui
