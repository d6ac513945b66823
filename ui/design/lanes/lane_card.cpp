// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/lanes/lane_card.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/design/lanes/lane_board.hpp"
#include "ui/design/lanes/lane_layout.hpp"
#include "ui/theme/style.hpp"

namespace nw::ui {

LaneCard::LaneCard(LaneBoard& board, NodeId id) : QAbstractButton(&board), board_(board), id_(id) {
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::OpenHandCursor);
}

void LaneCard::setTexts(const QString& title, const QString& name, const QString& icon, const QString& group,
                        const QString& cost) {
  title_ = title;
  name_ = name;
  icon_ = icon;
  group_ = group;
  cost_ = cost;
  update();
}

void LaneCard::setLane(int lane) {
  lane_ = lane;
  update();
}

void LaneCard::setChosen(bool on) {
  if (std::exchange(chosen_, on) != on) update();
}

void LaneCard::setDragged(bool on) {
  if (std::exchange(dragged_, on) != on) update();
  setCursor(on ? Qt::ClosedHandCursor : Qt::OpenHandCursor);
}

void LaneCard::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QRectF card = QRectF(rect()).adjusted(2, 2, -2, -2);
  if (dragged_)
    paintFloat(p, card, radius::compact, t.raised, t.ring);
  else
    style::box(p, card, radius::compact, t.raised,
               chosen_        ? t.ring
               : underMouse() ? t.border3
                              : t.border2,
               chosen_ ? 1.6 : 1);
  QPainterPath shape;
  shape.addRoundedRect(card, radius::compact, radius::compact);
  p.save();
  p.setClipPath(shape);
  p.fillRect(QRectF(card.left(), card.top(), lane::stripe, card.height()), laneColour(t, lane_));
  p.restore();
  if (hasFocus()) style::focusRing(p, card, radius::compact);
  const QRectF tile(card.left() + 11, card.center().y() - 11, 22, 22);
  paintTile(p, icon_, group_, tile, 6);
  QRectF room = card.adjusted(42, 0, -10, 0);
  p.setFont(ui::font(TextRole::button));
  p.setPen(t.text1);
  p.drawText(room, Qt::AlignRight | Qt::AlignVCenter, cost_);
  room.setRight(room.right() - QFontMetricsF(p.font()).horizontalAdvance(cost_) - 8);
  const QFontMetricsF metrics(p.font()), small(ui::font(TextRole::secondary));
  // where both do not fit, the name says more
  const bool both = metrics.horizontalAdvance(title_) + 7 + small.horizontalAdvance(name_) <= room.width();
  const QString first = metrics.elidedText(both ? title_ : name_, Qt::ElideRight, room.width());
  p.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, first);
  if (!both) return;
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(t.text3);
  p.drawText(room.adjusted(metrics.horizontalAdvance(first) + 7, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, name_);
}

void LaneCard::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QAbstractButton::mousePressEvent(event);
  event->accept();
  pressed_ = event->pos();
  aloneOnRelease_ = chosen_ && event->modifiers() == Qt::NoModifier;
  if (!aloneOnRelease_) board_.choose(id_, event->modifiers());
}

void LaneCard::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) return;
  const bool far = (event->pos() - pressed_).manhattanLength() >= QApplication::startDragDistance();
  if (far && !board_.dragging()) board_.beginDrag(id_, pressed_);
  if (board_.dragging()) board_.drag(mapToParent(event->pos()));
}

void LaneCard::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (board_.dragging())
    board_.drop(mapToParent(event->pos()));
  else if (std::exchange(aloneOnRelease_, false))
    board_.choose(id_, Qt::NoModifier);
}

void LaneCard::mouseDoubleClickEvent(QMouseEvent*) { board_.inspect(id_); }

void LaneCard::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && board_.dragging()) return board_.cancelDrag();
  const bool plain = event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier;
  if (plain && board_.walk(id_, event->key())) return;
  if (event->key() == Qt::Key_Space)
    return board_.choose(id_, event->modifiers() & Qt::ControlModifier ? Qt::ControlModifier : Qt::NoModifier);
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return board_.inspect(id_);
  event->ignore();
}

void LaneCard::focusInEvent(QFocusEvent* event) {
  const Qt::FocusReason reason = event->reason();
  if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::OtherFocusReason)
    board_.choose(id_, Qt::NoModifier);
  board_.reveal(id_);
  QAbstractButton::focusInEvent(event);
}

}  // namespace nw::ui
