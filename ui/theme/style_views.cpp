// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, tool tips, tabs, item views, headers, docks, splitters, progress bars.
#include <QDockWidget>
#include <QPainterPath>

#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui::style {
namespace {

void menuItem(const QStyleOptionMenuItem& m, QPainter& p) {
  const Theme& t = theme();
  const QRect r = m.rect;
  if (m.menuItemType == QStyleOptionMenuItem::Separator) {
    p.setPen(t.border1);
    if (m.text.isEmpty()) return p.drawLine(r.left() + 6, r.center().y(), r.right() - 6, r.center().y());
    p.setFont(font(TextRole::small));
    p.setPen(t.text3);
    return p.drawText(r.adjusted(12, 6, -8, 0), Qt::AlignVCenter | Qt::AlignLeft, m.text);
  }
  const bool enabled = m.state & QStyle::State_Enabled, active = m.state & QStyle::State_Selected;
  if (active && enabled)
    box(p, QRectF(r).adjusted(1, 0, -1, 0), radius::control, t.dark ? t.chosen : t.hover, Qt::transparent);
  const QColor text = enabled ? t.text1 : m.palette.color(QPalette::Disabled, QPalette::Text);
  const QRectF mark(r.left() + 10, r.center().y() - 7.5, 16, 16);
  if (m.checked)
    paintIcon(p, QStringLiteral("check"), mark, enabled ? t.accentText : text);
  else if (!m.icon.isNull() && !m.icon.name().isEmpty())
    paintIcon(p, m.icon.name(), mark, enabled ? t.text2 : text);
  else if (!m.icon.isNull())
    m.icon.paint(&p, mark.toRect(), Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
  const QStringList parts = m.text.split(QLatin1Char('\t'));
  const QRect where = r.adjusted(34, 0, -14, 0);
  p.setFont(m.font);
  p.setPen(text);
  p.drawText(where, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextHideMnemonic | Qt::TextSingleLine, parts[0]);
  if (m.menuItemType == QStyleOptionMenuItem::SubMenu)
    chevron(p, QRectF(r.right() - 22, r.top(), 14, r.height()), "right", t.text3);
  if (parts.size() < 2) return;
  p.setFont(font(TextRole::axis));
  p.setPen(t.text3);
  p.drawText(where, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, parts[1]);
}

void tab(const QStyleOptionTab& o, QPainter& p) {
  const Theme& t = theme();
  const bool on = o.state & QStyle::State_Selected, hover = o.state & QStyle::State_MouseOver;
  if (o.state & QStyle::State_HasFocus && o.state & QStyle::State_KeyboardFocusChange)
    focusRing(p, QRectF(o.rect).adjusted(4, 4, -4, -4), radius::control);
  if (!on && !hover) return;
  const bool bottom = o.shape != QTabBar::RoundedSouth;
  const QRectF line(o.rect.left() + 12, bottom ? o.rect.bottom() - 1 : o.rect.top(), o.rect.width() - 24, 2);
  box(p, line, 1, on ? t.ring : t.border2, Qt::transparent);
}

void tabLabel(const QStyleOptionTab& o, QPainter& p) {
  const Theme& t = theme();
  QFont f = font(TextRole::body);
  f.setWeight(o.state & QStyle::State_Selected ? QFont::DemiBold : QFont::Medium);
  p.setFont(f);
  p.setPen(o.state & QStyle::State_Selected ? t.text1 : o.state & QStyle::State_MouseOver ? t.text1 : t.text2);
  const int beside = o.rightButtonSize.isValid() ? o.rightButtonSize.width() + 4 : 0;
  p.drawText(o.rect.adjusted(12, 0, -12 - beside, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextHideMnemonic, o.text);
}

void header(const QStyleOptionHeader& o, QPainter& p) {
  const Theme& t = theme();
  p.fillRect(o.rect, t.window);
  p.setPen(t.border1);
  p.drawLine(o.rect.bottomLeft(), o.rect.bottomRight());
}

void headerLabel(const QStyleOptionHeader& o, QPainter& p) {
  const Theme& t = theme();
  QFont f = font(TextRole::secondary);
  const bool sorted = o.sortIndicator != QStyleOptionHeader::None;
  f.setWeight(sorted ? QFont::DemiBold : QFont::Medium);
  p.setFont(f);
  p.setPen(sorted ? t.text1 : t.text2);
  const QRect r = o.rect.adjusted(2, 0, sorted ? -16 : -2, 0);  // the style has added its margin already
  const QString text = QFontMetrics(f).elidedText(o.text, Qt::ElideRight, r.width());
  const Qt::Alignment across = o.textAlignment & Qt::AlignHorizontal_Mask;
  p.drawText(r, int(Qt::AlignVCenter | across), text);
  if (!sorted) return;
  const int width = QFontMetrics(f).horizontalAdvance(text);
  const int x = across & Qt::AlignRight ? r.right() + 4 : qMin(r.left() + width + 3, r.right() + 2);
  // Qt's "down" means ascending order
  paintIcon(
      p,
      o.sortIndicator == QStyleOptionHeader::SortDown ? QStringLiteral("chevron-up") : QStringLiteral("chevron-down"),
      QRectF(x, o.rect.center().y() - 6, 12, 12), t.text1);
}

void progress(const QStyleOptionProgressBar& o, QPainter& p) {
  const Theme& t = theme();
  const QRectF r(o.rect.left(), o.rect.center().y() - 2, o.rect.width(), 4);
  box(p, r, 2, t.track, Qt::transparent);
  const double range = double(o.maximum) - o.minimum;
  QRectF done = r;
  if (range > 0)
    done.setWidth(r.width() * qBound(0.0, (double(o.progress) - o.minimum) / range, 1.0));
  else
    done = QRectF(r.left() + r.width() * 0.35, r.top(), r.width() * 0.3, r.height());
  if (done.width() >= 1) box(p, done, 2, t.accent, Qt::transparent);
}

}  // namespace

bool viewPrimitive(QStyle::PrimitiveElement element, const QStyleOption* o, QPainter& p, const QWidget* w) {
  const Theme& t = theme();
  switch (element) {
    case QStyle::PE_PanelMenu:
    case QStyle::PE_FrameMenu:
      box(p, o->rect, 0, element == QStyle::PE_PanelMenu ? t.overlay : Qt::transparent, t.border2);
      return true;
    case QStyle::PE_PanelTipLabel:
      box(p, o->rect, 0, t.overlay, t.border2);
      return true;
    case QStyle::PE_FrameTabBarBase:
      p.setPen(t.border1);
      p.drawLine(o->rect.bottomLeft(), o->rect.bottomRight());
      return true;
    case QStyle::PE_FrameTabWidget:
    case QStyle::PE_FrameStatusBarItem:
    case QStyle::PE_FrameDockWidget:
      return true;
    case QStyle::PE_PanelItemViewRow:
      return true;
    case QStyle::PE_PanelItemViewItem: {
      const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(o);
      if (item && item->backgroundBrush.style() != Qt::NoBrush) p.fillRect(o->rect, item->backgroundBrush);
      if (o->state & QStyle::State_Selected)
        p.fillRect(o->rect, t.dark ? t.accentSoft : t.accentSoft);
      else if (o->state & QStyle::State_MouseOver && o->state & QStyle::State_Enabled)
        p.fillRect(o->rect, t.hover);
      return true;
    }
    case QStyle::PE_IndicatorBranch:
      if (o->state & QStyle::State_Children)
        chevron(p, o->rect, o->state & QStyle::State_Open ? "down" : "right", t.text2);
      return true;
    case QStyle::PE_IndicatorDockWidgetResizeHandle: {
      p.fillRect(o->rect, t.window);
      p.setPen(t.border1);
      const QPoint middle = o->rect.center();
      if (o->rect.width() < o->rect.height())
        p.drawLine(middle.x(), o->rect.top(), middle.x(), o->rect.bottom());
      else
        p.drawLine(o->rect.left(), middle.y(), o->rect.right(), middle.y());
      return true;
    }
    case QStyle::PE_IndicatorHeaderArrow:
      return true;
    case QStyle::PE_FrameGroupBox:
      box(p, o->rect, radius::card, Qt::transparent, t.border1);
      return true;
    default:
      Q_UNUSED(w);
      return false;
  }
}

bool menuControl(const QStyle& s, QStyle::ControlElement element, const QStyleOption* o, QPainter& p,
                 const QWidget* w) {
  Q_UNUSED(s);
  Q_UNUSED(w);
  const Theme& t = theme();
  if (element == QStyle::CE_MenuItem) {
    if (const auto* m = qstyleoption_cast<const QStyleOptionMenuItem*>(o)) {
      p.save();
      menuItem(*m, p);
      p.restore();
      return true;
    }
  }
  if (element == QStyle::CE_MenuEmptyArea || element == QStyle::CE_MenuHMargin || element == QStyle::CE_MenuVMargin)
    return true;
  if (element == QStyle::CE_MenuTearoff) return p.fillRect(o->rect, t.overlay), true;
  return false;
}

bool viewControl(const QStyle& s, QStyle::ControlElement element, const QStyleOption* o, QPainter& p,
                 const QWidget* w) {
  Q_UNUSED(s);
  Q_UNUSED(w);
  const Theme& t = theme();
  switch (element) {
    case QStyle::CE_TabBarTabShape:
      if (const auto* x = qstyleoption_cast<const QStyleOptionTab*>(o)) tab(*x, p);
      return true;
    case QStyle::CE_TabBarTabLabel:
      if (const auto* x = qstyleoption_cast<const QStyleOptionTab*>(o)) tabLabel(*x, p);
      return true;
    case QStyle::CE_HeaderSection:
      if (const auto* x = qstyleoption_cast<const QStyleOptionHeader*>(o)) header(*x, p);
      return true;
    case QStyle::CE_HeaderEmptyArea: {
      p.fillRect(o->rect, t.window);
      p.setPen(t.border1);
      p.drawLine(o->rect.bottomLeft(), o->rect.bottomRight());
      return true;
    }
    case QStyle::CE_HeaderLabel:
      if (const auto* x = qstyleoption_cast<const QStyleOptionHeader*>(o)) headerLabel(*x, p);
      return true;
    case QStyle::CE_Splitter: {
      p.setPen(t.border1);
      if (o->state & QStyle::State_Horizontal)
        p.drawLine(o->rect.center().x(), o->rect.top(), o->rect.center().x(), o->rect.bottom());
      else
        p.drawLine(o->rect.left(), o->rect.center().y(), o->rect.right(), o->rect.center().y());
      return true;
    }
    case QStyle::CE_ProgressBar:
      if (const auto* x = qstyleoption_cast<const QStyleOptionProgressBar*>(o)) progress(*x, p);
      return true;
    case QStyle::CE_ShapedFrame: {
      const auto* f = qstyleoption_cast<const QStyleOptionFrame*>(o);
      if (!f) return false;
      p.setPen(t.border1);
      if (f->frameShape == QFrame::HLine)
        return p.drawLine(o->rect.left(), o->rect.center().y(), o->rect.right(), o->rect.center().y()), true;
      if (f->frameShape == QFrame::VLine)
        return p.drawLine(o->rect.center().x(), o->rect.top(), o->rect.center().x(), o->rect.bottom()), true;
      return false;
    }
    case QStyle::CE_DockWidgetTitle: {
      const auto* d = qstyleoption_cast<const QStyleOptionDockWidget*>(o);
      if (!d) return false;
      p.setFont(font(TextRole::title));
      p.setPen(t.text1);
      p.drawText(o->rect.adjusted(space::l, 0, -40, 0), Qt::AlignVCenter | Qt::AlignLeft, d->title);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace nw::ui::style
