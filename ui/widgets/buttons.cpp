// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/segment_accessible.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

void setShortenedText(QPushButton& button, const QString& text, int width) {
  const QString shown = button.fontMetrics().elidedText(text, Qt::ElideMiddle, width);
  button.setText(shown);
  button.setToolTip(shown == text ? QString() : text);
  button.setAccessibleName(text);
}

QPushButton* makeButton(const QString& text, ButtonKind kind, const QString& iconName, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  if (!iconName.isEmpty()) button->setIcon(icon(iconName));
  button->setFont(font(TextRole::button));
  button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setButtonKind(button, kind);
  return button;
}

QPushButton* makeIconButton(const QString& iconName, const QString& accessibleName, QWidget* parent) {
  auto* button = new QPushButton(parent);
  button->setIcon(icon(iconName));
  button->setIconSize({18, 18});
  button->setFixedSize(30, 30);
  button->setAccessibleName(accessibleName);
  button->setToolTip(accessibleName);
  setButtonKind(button, ButtonKind::ghost);
  return button;
}

void setButtonKind(QPushButton* button, ButtonKind kind) {
  button->setProperty("nwKind", static_cast<int>(kind));
  button->update();
}

// --- SegmentedControl

namespace {
constexpr int segmentHeight = 32, segmentPadding = 16, trackInset = 3;
QFont segmentFont(bool current) {
  QFont f = font(TextRole::body);
  f.setWeight(current ? QFont::DemiBold : QFont::Medium);
  return f;
}
}  // namespace

SegmentedControl::SegmentedControl(QWidget* parent) : QWidget(parent) {
  installSegmentAccessibility();
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
}

int SegmentedControl::addSegment(const QString& text, const QString& iconName) {
  texts_ << text;
  icons_ << iconName;
  marks_ << false;
  updateGeometry();
  return count() - 1;
}

void SegmentedControl::setSegmentText(int index, const QString& text) {
  texts_[index] = text;
  updateGeometry();
  update();
}

void SegmentedControl::setMark(int index, bool on) {
  if (marks_[index] == on) return;
  marks_[index] = on;
  update();
}

void SegmentedControl::setCurrent(int index) {
  if (index < 0 || index >= count() || index == current_) return;
  current_ = index;
  setAccessibleDescription(texts_[index]);
  update();
  if (hasFocus()) {
    QAccessibleEvent event(this, QAccessible::Focus);
    event.setChild(index);
    QAccessible::updateAccessibility(&event);
  }
  Q_EMIT currentChanged(index);
}

QSize SegmentedControl::sizeHint() const {
  const QFontMetrics metrics(segmentFont(true));
  int width = 2 * trackInset;
  for (int i = 0; i < count(); ++i)
    width += metrics.horizontalAdvance(texts_[i]) + 2 * segmentPadding + (icons_[i].isEmpty() ? 0 : 22);
  return {width, segmentHeight};
}

/// With more room than its texts need all segments grow alike; with less, the longest shrink most.
QRectF SegmentedControl::segmentRect(int index) const {
  const QFontMetrics metrics(segmentFont(true));
  qreal x = trackInset;
  const int whole = sizeHint().width() - 2 * trackInset, room = qMax(0, width() - 2 * trackInset);
  const qreal spare = qMax(0, room - whole) / qreal(qMax(1, count())), share = qMin(1.0, room / qreal(qMax(1, whole)));
  for (int i = 0;; ++i) {
    const qreal w =
        share * (metrics.horizontalAdvance(texts_[i]) + 2 * segmentPadding + (icons_[i].isEmpty() ? 0 : 22)) + spare;
    if (i == index)
      return {layoutDirection() == Qt::RightToLeft ? width() - x - w : x, trackInset, w, height() - 2.0 * trackInset};
    x += w;
  }
}

QString SegmentedControl::shownText(int index) const {
  constexpr int least_padding = 4;
  const qreal room = segmentRect(index).width() - (icons_[index].isEmpty() ? 0 : 22) - 2 * least_padding;
  return QFontMetricsF(segmentFont(index == current_)).elidedText(texts_[index], Qt::ElideRight, room);
}

/// A text that is cut off is shown whole under the pointer.
bool SegmentedControl::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  for (int i = 0; i < count(); ++i)
    if (segmentRect(i).contains(help->pos()) && shownText(i) != texts_[i]) {
      QToolTip::showText(help->globalPos(), texts_[i], this);
      return true;
    }
  return QWidget::event(event);
}

void SegmentedControl::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QColor none(0, 0, 0, 0);
  style::box(p, rect(), radius::group, t.dark ? t.sunken : t.border1, none);
  const QPoint mouse = mapFromGlobal(QCursor::pos());
  for (int i = 0; i < count(); ++i) {
    const QRectF r = segmentRect(i);
    const bool on = i == current_, hover = !on && isEnabled() && underMouse() && r.contains(mouse);
    if (on) style::box(p, r, radius::control, t.dark ? t.chosen : t.raised, t.dark ? none : t.border2);
    p.setFont(segmentFont(on));
    p.setPen(!isEnabled() ? t.text3 : on || hover ? t.text1 : t.text2);
    QRectF label = r;
    if (!icons_[i].isEmpty()) {
      paintIcon(p, icons_[i], QRectF(r.left() + 10, r.center().y() - 8, 16, 16), p.pen().color());
      label.setLeft(r.left() + 22);
    }
    p.drawText(label, Qt::AlignCenter, shownText(i));
    if (marks_[i]) style::box(p, QRectF(r.right() - 10, r.top() + 6, 6, 6), 3, t.ok, none);
    if (on && hasFocus()) style::focusRing(p, r, radius::control);
  }
}

void SegmentedControl::mousePressEvent(QMouseEvent* event) {
  for (int i = 0; i < count(); ++i)
    if (segmentRect(i).contains(event->position())) return setCurrent(i);
}

void SegmentedControl::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Left) return setCurrent(current_ - 1);
  if (event->key() == Qt::Key_Right) return setCurrent(current_ + 1);
  if (event->key() == Qt::Key_Home) return setCurrent(0);
  if (event->key() == Qt::Key_End) return setCurrent(count() - 1);
  QWidget::keyPressEvent(event);
}

// --- ToggleSwitch

ToggleSwitch::ToggleSwitch(const QString& accessibleName, QWidget* parent) : QAbstractButton(parent) {
  setCheckable(true);
  setAccessibleName(accessibleName);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setMinimumHeight(24);  // the track is lower
  setFocusPolicy(Qt::StrongFocus);
}

void ToggleSwitch::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  const QColor none(0, 0, 0, 0);
  const QRectF track(2, height() / 2.0 - 8, 30, 16);
  // In high contrast "off" is an outline: a filled track would be brighter than that of "on".
  const bool outline = t.highContrast && !isChecked();
  QColor fill = isChecked() ? t.accent : outline ? t.window : t.border3;
  if (!isEnabled()) fill.setAlphaF(0.4f);
  style::box(p, track, 8, fill, outline ? t.border3 : none);
  const qreal x = isChecked() != (layoutDirection() == Qt::RightToLeft) ? track.right() - 14 : track.left() + 2;
  style::box(p, QRectF(x, track.top() + 2, 12, 12), 6, isChecked() ? t.onAccent : QColor(Qt::white), none);
  if (hasFocus()) style::focusRing(p, track.adjusted(-2, -2, 2, 2), 10);
}

}  // namespace nw::ui
