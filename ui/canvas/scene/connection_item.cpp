// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/connection_item.hpp"

#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>
#include <QPainterPathStroker>
#include <QStyleOptionGraphicsItem>
#include <algorithm>
#include <limits>

#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/scene/paint_cache.hpp"
#include "ui/canvas/scene/paint_tools.hpp"

namespace nw::ui {
namespace {

qreal pieceDistance(QPointF a, QPointF b, QPointF p) {
  const QPointF d = b - a;
  const qreal square = QPointF::dotProduct(d, d);
  const qreal t = square > 0 ? std::clamp(QPointF::dotProduct(p - a, d) / square, 0.0, 1.0) : 0;
  return QLineF(p, a + d * t).length();
}

}  // namespace

ConnectionItem::ConnectionItem(GraphScene& scene, const Connection& connection)
    : CanvasItem(scene), connection_(connection) {
  setFlag(ItemIsSelectable);
  setZValue(1);
}

QRectF ConnectionItem::span() const {
  const NodeItem *from = scene_.elements().node(connection_.from), *to = scene_.elements().node(connection_.to);
  return from && to ? from->outline().united(to->outline()).adjusted(-60, -30, 400, 30) : QRectF();
}

void ConnectionItem::route(const QVector<QRectF>& obstacles) {
  const NodeItem *from = scene_.elements().node(connection_.from), *to = scene_.elements().node(connection_.to);
  if (!from || !to) return;
  QVector<QPointF> corners =
      routeConnection(from->end(true, connection_.from_port), to->end(false, connection_.to_port), obstacles);
  if (corners == corners_) return;
  prepareGeometryChange();
  corners_ = std::move(corners);
  path_ = roundedPath(corners_, card::connectionRadius);
  anchor_ = labelAnchor(corners_);
  updateBounds();
}

void ConnectionItem::refresh() {
  const NodeInfo* facts = scene_.facts(connection_.from);
  const NodeItem* from = scene_.elements().node(connection_.from);
  const bool led = from && from->look().dot;  // the label is already shown before the dot
  const QString words = facts && !led ? shapeText(facts->output) : QString();
  const qreal width = !facts || facts->output.rank() >= 4 ? card::imageConnection : card::vectorConnection;
  const bool broken = scene_.index().isBroken(connection_);
  light();
  if (width == width_ && broken == broken_ && words == label_.text()) return;
  width_ = width;
  broken_ = broken;
  if (words != label_.text()) {
    static const QFontMetricsF mono(font(TextRole::mono));
    label_.setTextFormat(Qt::PlainText);
    label_.setText(words);
    labelWidth_ = mono.horizontalAdvance(words);
  }
  updateBounds();
}

void ConnectionItem::light() {
  const NodeItem *from = scene_.elements().node(connection_.from), *to = scene_.elements().node(connection_.to);
  const bool lit = (from && from->isSelected()) || (to && to->isSelected());
  if (lit == lit_) return;
  lit_ = lit;
  update();
}

void ConnectionItem::updateBounds() {
  prepareGeometryChange();
  bounds_ = path_.boundingRect().adjusted(-8, -8, 8, 8);
  if (!label_.text().isEmpty()) bounds_ = bounds_.united(labelRect().adjusted(-2, -2, 2, 2));
  update();
}

QPainterPath ConnectionItem::shape() const {
  QPainterPathStroker stroker;
  stroker.setWidth(2 * card::connectionReach);
  return stroker.createStroke(path_);
}

qreal ConnectionItem::distance(QPointF scene) const {
  qreal nearest = std::numeric_limits<qreal>::max();
  for (int i = 1; i < corners_.size(); ++i)
    nearest = std::min(nearest, pieceDistance(corners_[i - 1], corners_[i], scene));
  return nearest;
}

void ConnectionItem::setTarget(bool on) {
  if (target_ == on) return;
  target_ = on;
  update();
}

void ConnectionItem::setHovered(bool on) {
  if (hovered_ == on) return;
  hovered_ = on;
  update();
}

void ConnectionItem::setCut(bool on) {
  if (cut_ == on) return;
  cut_ = on;
  update();
}

bool ConnectionItem::crosses(const QLineF& stroke) const {
  for (int i = 1; i < corners_.size(); ++i)
    if (stroke.intersects(QLineF(corners_[i - 1], corners_[i]), nullptr) == QLineF::BoundedIntersection) return true;
  return false;
}

QColor ConnectionItem::colour() const {
  const Theme& t = theme();
  if (broken_ || cut_) return t.error;
  return target_ || isSelected() || lit_ ? t.ring : hovered_ ? t.text2 : connectionColour(t);
}

QRectF ConnectionItem::labelRect() const {
  const NodeItem *from = scene_.elements().node(connection_.from), *to = scene_.elements().node(connection_.to);
  const bool lane = corners_.size() > 4 && from && to && std::abs(from->pos().x() - to->pos().x()) > card::width;
  const bool on = broken_ || lane;  // a lane between two columns has no room beside the connection
  const qreal x = on ? anchor_.x() - (labelWidth_ + 12) / 2 : anchor_.x() + card::labelGap;
  return {x, anchor_.y() - card::labelHeight / 2, labelWidth_ + 12, card::labelHeight};
}

void ConnectionItem::paint(QPainter* p, const QStyleOptionGraphicsItem*, QWidget*) {
  const qreal zoom = QStyleOptionGraphicsItem::levelOfDetailFromTransform(p->worldTransform());
  const QColor ink = colour();
  QPen pen(ink, target_ || isSelected() ? width_ + 1 : width_, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
  if (zoom < card::blocksBelow) pen.setWidthF(std::max(1.0, width_ * zoom) / zoom);
  if (broken_ || cut_) pen.setDashPattern({3.2, 2.6});
  p->setPen(pen);
  p->setBrush(Qt::NoBrush);
  p->drawPath(path_);
  if (zoom < card::barsBelow) return;
  if (broken_ && !corners_.isEmpty()) paintCross(*p, path_.pointAtPercent(0.25), 7.5, theme().error, theme().canvas);
}

void ConnectionItem::paintLabel(QPainter& p) const {
  if (label_.text().isEmpty()) return;
  const QRectF pill = labelRect();
  // cached: most connections have one of a few shapes
  const QString key = QStringLiteral("label/%1/%2").arg(broken_).arg(label_.text());
  paintCached(p, key, pill.adjusted(-1, -1, 1, 1), [&](QPainter& still) { drawLabel(still, pill); });
}

void ConnectionItem::drawLabel(QPainter& p, const QRectF& pill) const {
  const Theme& t = theme();
  p.setPen(broken_ ? QPen(blend(t.errorSoft, t.error, 0.6), 1) : Qt::NoPen);
  p.setBrush(broken_ ? t.errorSoft : blend(t.canvas, t.raised, t.dark ? 0.55 : 0.0));
  p.drawRoundedRect(pill, radius::pill, radius::pill);
  p.setFont(font(TextRole::mono));
  p.setPen(broken_ ? t.error : t.text2);
  p.drawStaticText(QPointF(pill.left() + 6, pill.center().y() - label_.size().height() / 2), label_);
}

}  // namespace nw::ui
