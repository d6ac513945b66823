// SPDX-License-Identifier: GPL-3.0-or-later
// Line edits, combo boxes, spin boxes; scroll bars and sliders.
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>

#include "ui/theme/icons.hpp"
#include "ui/theme/shortened_text.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui::style {
namespace {

/// Property "nwWrong": the value cannot be used as it is.
void field(QPainter& p, const QRectF& rect, const QStyleOption* o, const QWidget* w, bool focus) {
  const Theme& t = theme();
  const bool enabled = o->state & QStyle::State_Enabled, hover = o->state & QStyle::State_MouseOver;
  const bool wrong = w && w->property("nwWrong").toBool();
  if (focus || wrong) {
    QColor halo = wrong ? t.error : t.ring;
    halo.setAlphaF(0.25f);
    if (focus) box(p, rect, radius::control + 1, Qt::transparent, halo, 2.5);
    box(p, rect.adjusted(1, 1, -1, -1), radius::control, enabled ? t.field : t.sunken, wrong ? t.error : t.ring, 1.6);
    return;
  }
  box(p, rect, radius::control, enabled ? t.field : t.sunken, hover && enabled ? t.border3 : t.border2);
}

bool inside(const QWidget* w) {
  const QWidget* parent = w ? w->parentWidget() : nullptr;
  return qobject_cast<const QAbstractSpinBox*>(parent) || qobject_cast<const QComboBox*>(parent);
}

void scrollBar(const QStyle& s, const QStyleOptionSlider& o, QPainter& p, const QWidget* w) {
  const Theme& t = theme();
  const QRectF slider = s.subControlRect(QStyle::CC_ScrollBar, &o, QStyle::SC_ScrollBarSlider, w);
  if (o.maximum <= o.minimum) return;
  const bool hot = (o.state & QStyle::State_MouseOver) || (o.activeSubControls & QStyle::SC_ScrollBarSlider);
  const qreal thin = hot ? 6 : 4;
  const QRectF at = o.orientation == Qt::Horizontal
                        ? QRectF(slider.left() + 2, slider.bottom() - thin - 2, slider.width() - 4, thin)
                        : QRectF(slider.right() - thin - 2, slider.top() + 2, thin, slider.height() - 4);
  box(p, at, thin / 2, hot ? t.text3 : t.border3, Qt::transparent);
}

void slider(const QStyle& s, const QStyleOptionSlider& o, QPainter& p, const QWidget* w) {
  const Theme& t = theme();
  const QRectF handle = s.subControlRect(QStyle::CC_Slider, &o, QStyle::SC_SliderHandle, w);
  const bool flat = o.orientation == Qt::Horizontal, enabled = o.state & QStyle::State_Enabled;
  const QRectF whole(o.rect);
  const QRectF groove = flat ? QRectF(whole.left() + 2, whole.center().y() - 2, whole.width() - 4, 4)
                             : QRectF(whole.center().x() - 2, whole.top() + 2, 4, whole.height() - 4);
  box(p, groove, 2, t.track, Qt::transparent);
  QRectF filled = groove;
  if (flat)
    filled.setRight(handle.center().x());
  else
    filled.setTop(handle.center().y());
  box(p, filled, 2, enabled ? t.accent : t.border3, Qt::transparent);
  const QRectF knob(handle.center().x() - 7, handle.center().y() - 7, 14, 14);
  if (o.state & QStyle::State_HasFocus) focusRing(p, knob.adjusted(-3, -3, 3, 3), 10);
  box(p, knob, 7, t.dark ? QColor(Qt::white) : t.raised, enabled ? t.accent : t.border3, 1.6);
}

}  // namespace

bool fieldPrimitive(QStyle::PrimitiveElement element, const QStyleOption* o, QPainter& p, const QWidget* w) {
  switch (element) {
    case QStyle::PE_PanelLineEdit: {
      const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(o);
      if (inside(w) || (frame && frame->lineWidth == 0)) return true;
      field(p, o->rect, o, w, o->state & QStyle::State_HasFocus);
      return true;
    }
    case QStyle::PE_FrameLineEdit:
      return true;
    case QStyle::PE_Frame: {
      if (qobject_cast<const QAbstractItemView*>(w)) return true;
      const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(o);
      if (frame && frame->lineWidth > 0) field(p, o->rect, o, w, o->state & QStyle::State_HasFocus);
      return true;
    }
    default:
      return false;
  }
}

QStyleOptionComboBox elidedLabel(const QStyle& s, const QStyleOptionComboBox& o, QPainter& p, const QWidget* w) {
  QStyleOptionComboBox label(o);
  QRect room = s.subControlRect(QStyle::CC_ComboBox, &o, QStyle::SC_ComboBoxEditField, w).adjusted(0, 0, -2, 0);
  if (!o.currentIcon.isNull()) room.setLeft(room.left() + o.iconSize.width() + 4);
  label.currentText = shortenedText(p, room, o.currentText);
  return label;
}

bool fieldComplex(const QStyle& s, QStyle::ComplexControl control, const QStyleOptionComplex* o, QPainter& p,
                  const QWidget* w) {
  const Theme& t = theme();
  const bool focus = o->state & QStyle::State_HasFocus;
  const QColor mark = o->state & QStyle::State_Enabled ? t.text2 : o->palette.color(QPalette::Disabled, QPalette::Text);
  if (control == QStyle::CC_ComboBox) {
    field(p, o->rect, o, w, focus);
    chevron(p, s.subControlRect(control, o, QStyle::SC_ComboBoxArrow, w), "down", mark);
    return true;
  }
  if (control == QStyle::CC_SpinBox) {
    const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(o);
    if (!spin || spin->frame) field(p, o->rect, o, w, focus);
    if (!spin || spin->buttonSymbols == QAbstractSpinBox::NoButtons) return true;
    const auto arrow = [&](QStyle::SubControl sub, QAbstractSpinBox::StepEnabledFlag can, const char* direction) {
      QColor colour = spin->stepEnabled & can ? mark : t.border3;
      if (spin->stepEnabled & can && o->activeSubControls & sub) colour = t.text1;
      const QRectF r = s.subControlRect(control, o, sub, w);
      paintIcon(p, QStringLiteral("chevron-") + QLatin1String(direction),
                QRectF(r.center().x() - 5, r.center().y() - 5, 10, 10), colour);
    };
    arrow(QStyle::SC_SpinBoxUp, QAbstractSpinBox::StepUpEnabled, "up");
    arrow(QStyle::SC_SpinBoxDown, QAbstractSpinBox::StepDownEnabled, "down");
    return true;
  }
  return false;
}

bool rangeComplex(const QStyle& s, QStyle::ComplexControl control, const QStyleOptionComplex* o, QPainter& p,
                  const QWidget* w) {
  const auto* option = qstyleoption_cast<const QStyleOptionSlider*>(o);
  if (!option) return false;
  if (control == QStyle::CC_ScrollBar) return scrollBar(s, *option, p, w), true;
  if (control == QStyle::CC_Slider) return slider(s, *option, p, w), true;
  return false;
}

}  // namespace nw::ui::style
