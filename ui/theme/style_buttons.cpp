// SPDX-License-Identifier: GPL-3.0-or-later
// Buttons, check boxes, radio buttons, tool buttons.
#include <QPushButton>
#include <QToolButton>

#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui::style {
namespace {

struct Paint {
  QColor fill, line, text;
};

QColor shade(const QColor& c, bool hover, bool down) {
  if (!hover && !down) return c;
  return theme().dark ? c.lighter(down ? 92 : 112) : c.darker(down ? 112 : 105);
}

/// Property "nwKind", set by makeButton: 0 primary, 1 tonal, 2 neutral, 3 ghost, 4 danger.
Paint paintFor(const QStyleOption* o, const QWidget* w) {
  const Theme& t = theme();
  const bool enabled = o->state & QStyle::State_Enabled;
  const bool down = o->state & (QStyle::State_Sunken | QStyle::State_On);
  const bool hover = enabled && (o->state & QStyle::State_MouseOver);
  const QVariant kind = w ? w->property("nwKind") : QVariant();
  const QColor none(0, 0, 0, 0);
  const QColor faint = o->palette.color(QPalette::Disabled, QPalette::ButtonText);
  switch (kind.isValid() ? kind.toInt() : 2) {
    case 0:
      return enabled ? Paint{shade(t.accent, hover, down), none, t.onAccent} : Paint{t.border1, none, faint};
    case 1:
      return enabled ? Paint{shade(t.accentSoft, hover, down), none, t.accentText} : Paint{t.sunken, none, faint};
    case 3:
      return {down || hover ? t.hover : none, none, enabled ? t.text2 : faint};
    case 4:
      return {hover || down ? t.errorSoft : t.raised, enabled ? t.error : t.border1, enabled ? t.error : faint};
    default:
      return {down ? t.hover : hover ? t.hover : t.raised, hover ? t.border3 : t.border2, enabled ? t.text1 : faint};
  }
}

void pushButtonLabel(const QStyleOptionButton& b, QPainter& p, const QWidget* w) {
  const Paint colours = paintFor(&b, w);
  const bool onlyIcon = b.text.isEmpty();
  const bool menu = b.features & QStyleOptionButton::HasMenu;
  const int iconSize = b.icon.isNull() ? 0 : onlyIcon ? qMin(18, b.iconSize.width()) : 16;
  const int gap = iconSize && !onlyIcon ? 7 : 0;
  const int arrow = menu && !onlyIcon ? 18 : 0;
  QRect r = b.rect.adjusted(4, 0, -4, 0);
  const QFontMetrics metrics(p.font());
  const QString text =
      metrics.elidedText(b.text, Qt::ElideRight, r.width() - iconSize - gap - arrow, Qt::TextShowMnemonic);
  const int width = iconSize + gap + metrics.size(Qt::TextShowMnemonic, text).width() + arrow;
  int x = w && w->property("nwLeft").toBool() ? r.left() + 6 : r.left() + (r.width() - width) / 2;
  if (iconSize) {
    const QRectF at(x, b.rect.top() + (b.rect.height() - iconSize) / 2.0, iconSize, iconSize);
    const QString name = b.icon.name();
    if (!name.isEmpty())
      paintIcon(p, name, at, colours.text);
    else
      b.icon.paint(&p, at.toRect(), Qt::AlignCenter, b.state & QStyle::State_Enabled ? QIcon::Normal : QIcon::Disabled);
    x += iconSize + gap;
  }
  p.setPen(colours.text);
  p.drawText(QRect(x, b.rect.top(), b.rect.right() - x, b.rect.height()),
             Qt::AlignVCenter | Qt::AlignLeft | Qt::TextHideMnemonic, text);
  if (arrow)
    chevron(p, QRectF(x + width - iconSize - gap - arrow + 2, b.rect.top(), 16, b.rect.height()), "down", colours.text);
}

void checkBox(const QStyleOption* o, QPainter& p) {
  const Theme& t = theme();
  const bool on = o->state & QStyle::State_On, some = o->state & QStyle::State_NoChange,
             enabled = o->state & QStyle::State_Enabled;
  const QRectF r = QRectF(o->rect).adjusted(0.5, 0.5, -0.5, -0.5);
  const QColor line = o->state & QStyle::State_MouseOver ? t.border3 : t.dark ? t.border3 : t.border3;
  if (on || some)
    box(p, r, 4, enabled ? t.accent : t.border3, QColor(0, 0, 0, 0));
  else
    box(p, r, 4, enabled ? t.field : t.sunken, line, 1.25);
  if (on) paintIcon(p, QStringLiteral("check"), r.adjusted(1, 1, -1, -1), t.onAccent);
  if (some) paintIcon(p, QStringLiteral("minus"), r.adjusted(2, 2, -2, -2), t.onAccent);
}

void radioButton(const QStyleOption* o, QPainter& p) {
  const Theme& t = theme();
  const bool on = o->state & QStyle::State_On, enabled = o->state & QStyle::State_Enabled;
  const QRectF r = QRectF(o->rect).adjusted(0.5, 0.5, -0.5, -0.5);
  box(p, r, r.width() / 2, on ? (enabled ? t.accent : t.border3) : t.field, on ? QColor(0, 0, 0, 0) : t.border3, 1.25);
  if (on) box(p, r.adjusted(4.5, 4.5, -4.5, -4.5), 4, t.onAccent, QColor(0, 0, 0, 0));
}

}  // namespace

bool buttonPrimitive(QStyle::PrimitiveElement element, const QStyleOption* o, QPainter& p, const QWidget* w) {
  const Theme& t = theme();
  switch (element) {
    case QStyle::PE_PanelButtonCommand: {
      const Paint c = paintFor(o, w);
      box(p, o->rect, radius::control, c.fill, c.line);
      if (o->state & QStyle::State_HasFocus && o->state & QStyle::State_KeyboardFocusChange)
        focusRing(p, o->rect, radius::control);
      return true;
    }
    case QStyle::PE_PanelButtonTool:
    case QStyle::PE_PanelButtonBevel: {
      const bool on = o->state & (QStyle::State_On | QStyle::State_Sunken);
      const bool hover = o->state & QStyle::State_MouseOver && o->state & QStyle::State_Enabled;
      if (on || hover) box(p, o->rect, radius::control, on ? t.accentSoft : t.hover, QColor(0, 0, 0, 0));
      return true;
    }
    case QStyle::PE_IndicatorCheckBox:
      checkBox(o, p);
      return true;
    case QStyle::PE_IndicatorItemViewItemCheck:
      checkBox(o, p);
      return true;
    case QStyle::PE_IndicatorRadioButton:
      radioButton(o, p);
      return true;
    case QStyle::PE_FrameFocusRect:
      if (o->state & QStyle::State_KeyboardFocusChange)
        focusRing(p, QRectF(o->rect).adjusted(-2, -1, 2, 1), radius::pill);
      return true;
    case QStyle::PE_FrameDefaultButton:
    case QStyle::PE_FrameButtonBevel:
    case QStyle::PE_FrameButtonTool:
      return true;
    case QStyle::PE_IndicatorArrowDown:
      chevron(p, o->rect, "down", o->palette.color(QPalette::ButtonText));
      return true;
    case QStyle::PE_IndicatorArrowUp:
      chevron(p, o->rect, "up", o->palette.color(QPalette::ButtonText));
      return true;
    case QStyle::PE_IndicatorArrowRight:
      chevron(p, o->rect, "right", o->palette.color(QPalette::ButtonText));
      return true;
    case QStyle::PE_IndicatorArrowLeft:
      chevron(p, o->rect, "left", o->palette.color(QPalette::ButtonText));
      return true;
    default:
      return false;
  }
}

bool buttonControl(const QStyle& s, QStyle::ControlElement element, const QStyleOption* o, QPainter& p,
                   const QWidget* w) {
  const auto* b = qstyleoption_cast<const QStyleOptionButton*>(o);
  if (!b) return false;
  if (element == QStyle::CE_PushButton) {
    s.drawPrimitive(QStyle::PE_PanelButtonCommand, b, &p, w);
    pushButtonLabel(*b, p, w);
    return true;
  }
  if (element == QStyle::CE_PushButtonBevel) return s.drawPrimitive(QStyle::PE_PanelButtonCommand, b, &p, w), true;
  if (element == QStyle::CE_PushButtonLabel) return pushButtonLabel(*b, p, w), true;
  return false;
}

}  // namespace nw::ui::style
