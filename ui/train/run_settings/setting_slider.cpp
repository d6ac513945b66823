// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/run_settings/setting_slider.hpp"

#include <QPainter>
#include <QStyleOptionSlider>
#include <QWheelEvent>

#include "ui/theme/theme.hpp"
#include "ui/train/run_settings/setting_scale.hpp"

namespace nw::ui {

namespace {
constexpr qreal mark_height = 12;
}

SettingSlider::SettingSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
  setRange(0, SettingScale::positions);
  setSingleStep(SettingScale::positions / 100);
  setPageStep(SettingScale::positions / 10);
  setFocusPolicy(Qt::StrongFocus);
}

void SettingSlider::setMark(int position) {
  if (position == mark_) return;
  mark_ = position;
  update();
}

int SettingSlider::xOf(int position) const {
  QStyleOptionSlider option;
  initStyleOption(&option);
  option.sliderPosition = position;
  return style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this).center().x();
}

void SettingSlider::paintEvent(QPaintEvent* event) {
  QSlider::paintEvent(event);
  if (mark_ < 0) return;
  QPainter p(this);
  p.setPen(QPen(theme().text2, 2));
  const qreal x = xOf(mark_), middle = height() / 2.0;
  p.drawLine(QPointF(x, middle - mark_height / 2), QPointF(x, middle + mark_height / 2));
}

void SettingSlider::wheelEvent(QWheelEvent* event) {
  if (hasFocus()) return QSlider::wheelEvent(event);
  event->ignore();
}

}  // namespace nw::ui
