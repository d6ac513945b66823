// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/style.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>

#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace style {

void box(QPainter& p, const QRectF& rect, qreal radius, const QColor& fill, const QColor& line, qreal width) {
  p.save();
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(line.alpha() ? QPen(line, width) : QPen(Qt::NoPen));
  p.setBrush(fill);
  const qreal in = line.alpha() ? width / 2 : 0;
  p.drawRoundedRect(rect.adjusted(in, in, -in, -in), radius, radius);
  p.restore();
}

void focusRing(QPainter& p, const QRectF& rect, qreal radius) {
  QColor soft = theme().ring;
  soft.setAlphaF(0.25f);
  p.save();
  p.setRenderHint(QPainter::Antialiasing);
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(soft, 2.5));
  p.drawRoundedRect(rect.adjusted(1.25, 1.25, -1.25, -1.25), radius, radius);
  p.setPen(QPen(theme().ring, 1));
  p.drawRoundedRect(rect.adjusted(2.5, 2.5, -2.5, -2.5), radius - 1, radius - 1);
  p.restore();
}

void chevron(QPainter& p, const QRectF& rect, const char* direction, const QColor& colour) {
  const qreal size = qMin<qreal>(14, qMin(rect.width(), rect.height() + 4));
  const QRectF at(rect.center().x() - size / 2, rect.center().y() - size / 2, size, size);
  paintIcon(p, QStringLiteral("chevron-") + QLatin1String(direction), at, colour);
}

}  // namespace style

namespace {

constexpr int smallest_target = 24;  // pixels that a control has at least each way; WCAG 2.2, 2.5.8

class NetwrightStyle : public QProxyStyle {
 public:
  NetwrightStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

  void drawPrimitive(PrimitiveElement e, const QStyleOption* o, QPainter* p, const QWidget* w) const override {
    if (style::buttonPrimitive(e, o, *p, w) || style::fieldPrimitive(e, o, *p, w) || style::viewPrimitive(e, o, *p, w))
      return;
    QProxyStyle::drawPrimitive(e, o, p, w);
  }
  void drawControl(ControlElement e, const QStyleOption* o, QPainter* p, const QWidget* w) const override {
    if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(o); item && e == CE_ItemViewItem) {
      QStyleOptionViewItem calm(*item);  // a selected row has a tinted background, so its text keeps its colour
      calm.palette.setColor(QPalette::HighlightedText, calm.palette.color(QPalette::Text));
      // what cannot be chosen can be read all the same
      for (const auto role : {QPalette::Text, QPalette::HighlightedText})
        calm.palette.setColor(QPalette::Disabled, role, theme().text3);
      calm.state &= ~State_HasFocus;
      return QProxyStyle::drawControl(e, &calm, p, w);
    }
    if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(o); box && e == CE_ComboBoxLabel) {
      const QStyleOptionComboBox label = style::elidedLabel(*this, *box, *p, w);
      return QProxyStyle::drawControl(e, &label, p, w);
    }
    if (style::buttonControl(*this, e, o, *p, w) || style::menuControl(*this, e, o, *p, w) ||
        style::viewControl(*this, e, o, *p, w))
      return;
    QProxyStyle::drawControl(e, o, p, w);
  }
  void drawComplexControl(ComplexControl c, const QStyleOptionComplex* o, QPainter* p,
                          const QWidget* w) const override {
    if (style::fieldComplex(*this, c, o, *p, w) || style::rangeComplex(*this, c, o, *p, w)) return;
    QProxyStyle::drawComplexControl(c, o, p, w);
  }
  QRect subControlRect(ComplexControl c, const QStyleOptionComplex* o, SubControl sub, const QWidget* w) const override;
  QRect subElementRect(SubElement e, const QStyleOption* o, const QWidget* w) const override;
  int pixelMetric(PixelMetric m, const QStyleOption* o, const QWidget* w) const override;
  int styleHint(StyleHint h, const QStyleOption* o, const QWidget* w, QStyleHintReturn* r) const override;
  QSize sizeFromContents(ContentsType t, const QStyleOption* o, const QSize& size, const QWidget* w) const override;
  void polish(QWidget* w) override;
  using QProxyStyle::polish;
};

QRect NetwrightStyle::subControlRect(ComplexControl c, const QStyleOptionComplex* o, SubControl sub,
                                     const QWidget* w) const {
  if (c == CC_ScrollBar) {
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(o);
    if (!bar) return {};
    if (sub == SC_ScrollBarAddLine || sub == SC_ScrollBarSubLine) return {};
    if (sub == SC_ScrollBarGroove) return bar->rect;
    const bool flat = bar->orientation == Qt::Horizontal;
    const int length = flat ? bar->rect.width() : bar->rect.height();
    const qint64 range = qint64(bar->maximum) - bar->minimum;
    const int slider =
        range <= 0 ? length : qBound(28, int(qint64(length) * bar->pageStep / (range + bar->pageStep)), length);
    const int start =
        sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - slider, bar->upsideDown);
    const auto piece = [&](int from, int size) {
      return visualRect(bar->direction, bar->rect,
                        flat ? QRect(from, 0, size, bar->rect.height()) : QRect(0, from, bar->rect.width(), size));
    };
    if (sub == SC_ScrollBarSlider) return piece(start, slider);
    if (sub == SC_ScrollBarSubPage) return piece(0, start);
    if (sub == SC_ScrollBarAddPage) return piece(start + slider, length - start - slider);
    return {};
  }
  if (c == CC_ComboBox) {
    const QRect r = o->rect;
    if (sub == SC_ComboBoxEditField) return visualRect(o->direction, r, r.adjusted(9, 2, -26, -2));
    if (sub == SC_ComboBoxArrow) return visualRect(o->direction, r, QRect(r.right() - 23, r.top(), 20, r.height()));
    if (sub == SC_ComboBoxListBoxPopup) return r.translated(0, 2);
  }
  if (c == CC_SpinBox) {
    const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(o);
    const QRect r = o->rect;
    const int buttons = spin && spin->buttonSymbols != QAbstractSpinBox::NoButtons ? 18 : 0;
    const int half = r.height() / 2;
    if (sub == SC_SpinBoxUp)
      return visualRect(o->direction, r, QRect(r.right() - buttons - 1, r.top() + 3, buttons, half - 3));
    if (sub == SC_SpinBoxDown)
      return visualRect(o->direction, r, QRect(r.right() - buttons - 1, r.top() + half, buttons, half - 3));
    if (sub == SC_SpinBoxEditField) return visualRect(o->direction, r, r.adjusted(8, 2, -buttons - 3, -2));
    if (sub == SC_SpinBoxFrame) return r;
  }
  return QProxyStyle::subControlRect(c, o, sub, w);
}

QRect NetwrightStyle::subElementRect(SubElement e, const QStyleOption* o, const QWidget* w) const {
  const QRect r = QProxyStyle::subElementRect(e, o, w);
  if (e == SE_TabWidgetTabBar)
    return r.translated(space::m, 0);  // aligns the first tab's text with the text of the pages
  const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(o);
  return e == SE_LineEditContents && frame && frame->lineWidth > 0 ? r.adjusted(7, 0, -7, 0) : r;
}

int NetwrightStyle::pixelMetric(PixelMetric m, const QStyleOption* o, const QWidget* w) const {
  switch (m) {
    case PM_ButtonMargin:
      return 20;
    case PM_ButtonIconSize:
    case PM_SmallIconSize:
    case PM_ListViewIconSize:
    case PM_TabBarIconSize:
      return 16;
    case PM_ToolBarIconSize:
      return 18;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
      return 0;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
      return 16;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
      return 8;
    case PM_ScrollBarExtent:
      return 10;
    case PM_ScrollBarSliderMin:
      return 28;
    case PM_ScrollView_ScrollBarSpacing:
      return 0;
    case PM_SplitterWidth:
      return 5;
    case PM_DockWidgetSeparatorExtent:
      return 4;
    case PM_DockWidgetFrameWidth:
      return 0;
    case PM_DockWidgetTitleMargin:
      return 10;
    case PM_DefaultFrameWidth:
      return qobject_cast<const QAbstractItemView*>(w) ? 0 : 1;
    case PM_MenuPanelWidth:
      return 1;
    case PM_MenuVMargin:
    case PM_MenuHMargin:
      return 5;
    case PM_MenuButtonIndicator:
      return 18;
    case PM_SubMenuOverlap:
      return -2;
    case PM_ToolTipLabelFrameWidth:
      return 7;
    case PM_SliderThickness:
    case PM_SliderControlThickness:
      return 18;
    case PM_SliderLength:
      return 16;
    case PM_TabBarTabHSpace:
      return 24;
    case PM_TabBarTabVSpace:
      return 18;
    case PM_TabBarTabOverlap:
    case PM_TabBarBaseOverlap:
    case PM_TabBarBaseHeight:
    case PM_TabBarTabShiftVertical:
      return 0;
    case PM_HeaderMargin:
      return 8;
    case PM_FocusFrameHMargin:
      return 6;
    default:
      return QProxyStyle::pixelMetric(m, o, w);
  }
}

int NetwrightStyle::styleHint(StyleHint h, const QStyleOption* o, const QWidget* w, QStyleHintReturn* r) const {
  switch (h) {
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_UnderlineShortcut:
      return 0;
    case SH_ComboBox_Popup:
      return 0;
    case SH_ItemView_ShowDecorationSelected:
      return 1;
    case SH_ItemView_ActivateItemOnSingleClick:
      return 0;
    case SH_ScrollBar_LeftClickAbsolutePosition:
      return 0;
    case SH_Slider_AbsoluteSetButtons:
      return Qt::LeftButton;
    case SH_ToolTip_WakeUpDelay:
      return 500;
    case SH_Menu_SubMenuPopupDelay:
      return 120;
    case SH_Menu_SupportsSections:
      return 1;
    case SH_Menu_MouseTracking:
      return 1;
    case SH_Widget_Animation_Duration:
      return 0;
    case SH_TabBar_Alignment:
      return Qt::AlignLeft;
    case SH_DialogButtonBox_ButtonsHaveIcons:
      return 0;
    case SH_MessageBox_CenterButtons:
      return 0;
    case SH_Table_GridLineColor:
      return static_cast<int>(theme().border1.rgba());
    default:
      return QProxyStyle::styleHint(h, o, w, r);
  }
}

QSize NetwrightStyle::sizeFromContents(ContentsType t, const QStyleOption* o, const QSize& size,
                                       const QWidget* w) const {
  QSize s = QProxyStyle::sizeFromContents(t, o, size, w);
  switch (t) {
    case CT_PushButton: {
      const auto* b = qstyleoption_cast<const QStyleOptionButton*>(o);
      if (b && b->text.isEmpty() && !b->icon.isNull()) return {30, 30};
      int width = size.width() + 24;
      if (b && (b->features & QStyleOptionButton::HasMenu)) width += 8;
      return {width, 30};
    }
    case CT_LineEdit:
      return {s.width(), qMax(s.height(), 30)};
    case CT_ComboBox:
      return {size.width() + 40, 30};
    case CT_SpinBox:
      return {size.width() + 24, 30};
    case CT_MenuItem: {
      const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(o);
      if (item && item->menuItemType == QStyleOptionMenuItem::Separator)
        return item->text.isEmpty() ? QSize(s.width(), 9) : QSize(s.width() + 20, 28);
      const bool shortcut = item && item->text.contains(QLatin1Char('\t'));
      return {size.width() + 60 + (shortcut ? 24 : 0), 30};
    }
    case CT_ItemViewItem:
      return {s.width(), qMax(s.height(), 28)};
    case CT_HeaderSection:
      return {s.width() + 8, 34};
    case CT_CheckBox:
    case CT_RadioButton:
      return {s.width(), qMax(s.height(), smallest_target)};
    case CT_Slider: {
      const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(o);
      return slider && slider->orientation == Qt::Vertical ? s.expandedTo({smallest_target, 0})
                                                           : s.expandedTo({0, smallest_target});
    }
    case CT_ToolButton:
      return {qMax(s.width(), 28), qMax(s.height(), 28)};
    default:
      return s;
  }
}

void NetwrightStyle::polish(QWidget* w) {
  if (w->inherits("QLineEditIconButton") && w->accessibleName().isEmpty())
    w->setAccessibleName(QCoreApplication::translate("Start", "Clear"));
  QProxyStyle::polish(w);
  // No text of the program is markup: names of classes and runs in labels and tooltips are shown as they are, and load
  // no image.
  if (auto* label = qobject_cast<QLabel*>(w); label && label->textFormat() == Qt::AutoText)
    label->setTextFormat(Qt::PlainText);
  if (qobject_cast<QAbstractButton*>(w) || qobject_cast<QComboBox*>(w) || qobject_cast<QAbstractSpinBox*>(w) ||
      qobject_cast<QLineEdit*>(w) || qobject_cast<QScrollBar*>(w) || qobject_cast<QSlider*>(w) ||
      qobject_cast<QTabBar*>(w) || qobject_cast<QHeaderView*>(w))
    w->setAttribute(Qt::WA_Hover);
  if (auto* menu = qobject_cast<QMenu*>(w)) menu->setFont(font(TextRole::body));
  if (auto* tabs = qobject_cast<QTabBar*>(w)) {
    QFont widest = font(TextRole::body);  // the font of the current tab: no tab changes its width
    widest.setWeight(QFont::DemiBold);
    tabs->setFont(widest);
  }
  if (qobject_cast<QAbstractButton*>(w) && w->font() == QGuiApplication::font()) w->setFont(font(TextRole::button));
}

}  // namespace

QStyle* makeStyle() { return new NetwrightStyle; }

}  // namespace nw::ui
