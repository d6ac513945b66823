// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/connection_route.hpp"

#include <algorithm>
#include <cmath>

namespace nw::ui {
namespace {

constexpr qreal stub = 16, lane = 18;

bool crosses(const QVector<QPointF>& route, const QVector<QRectF>& obstacles) {
  for (int i = 1; i < route.size(); ++i) {
    const QRectF piece = QRectF(route[i - 1], route[i]).normalized().adjusted(-3, -3, 3, 3);
    for (const QRectF& o : obstacles)
      if (piece.intersects(o)) return true;
  }
  return false;
}

/// A vertical lane right of all nodes that are between the two heights and overlap the span.
qreal freeLane(const ConnectionEnd& from, const ConnectionEnd& to, const QVector<QRectF>& obstacles) {
  const qreal top = std::min(from.at.y(), to.at.y()), bottom = std::max(from.at.y(), to.at.y());
  qreal x = std::max({from.at.x(), to.at.x(), from.card.right(), to.card.right()});
  QVector<QRectF> sorted = obstacles;
  std::sort(sorted.begin(), sorted.end(), [](const QRectF& a, const QRectF& b) { return a.left() < b.left(); });
  for (const QRectF& o : sorted)
    if (o.bottom() > top && o.top() < bottom && o.left() < x + lane) x = std::max(x, o.right());
  return x + lane;
}

QVector<QPointF> around(const ConnectionEnd& from, const ConnectionEnd& to, qreal x) {
  return {from.at,
          {from.at.x(), from.at.y() + stub},
          {x, from.at.y() + stub},
          {x, to.at.y() - stub},
          {to.at.x(), to.at.y() - stub},
          to.at};
}

QVector<QPointF> downInto(const ConnectionEnd& from, const ConnectionEnd& to, const QVector<QRectF>& obstacles) {
  if (std::abs(from.at.x() - to.at.x()) < 0.5) {
    const QVector<QPointF> straight = {from.at, to.at};
    return crosses(straight, obstacles) ? around(from, to, freeLane(from, to, obstacles)) : straight;
  }
  const qreal middle = (from.at.y() + to.at.y()) / 2;
  for (const qreal y : {middle, to.at.y() - stub, from.at.y() + stub}) {
    const QVector<QPointF> bent = {from.at, {from.at.x(), y}, {to.at.x(), y}, to.at};
    if (!crosses(bent, obstacles)) return bent;
  }
  return around(from, to, freeLane(from, to, obstacles));
}

/// The target is above or beside: the route leaves below, goes up in a lane between the nodes, and enters from above.
QVector<QPointF> upInto(const ConnectionEnd& from, const ConnectionEnd& to, const QVector<QRectF>& obstacles) {
  if (from.card.isValid() && to.card.isValid() && to.card.left() - from.card.right() > 2)
    return around(from, to, (from.card.right() + to.card.left()) / 2);
  if (from.card.isValid() && to.card.isValid() && from.card.left() - to.card.right() > 2)
    return around(from, to, (to.card.right() + from.card.left()) / 2);
  return around(from, to, freeLane(from, to, obstacles));
}

QVector<QPointF> intoSide(const ConnectionEnd& from, const ConnectionEnd& to, const QVector<QRectF>& obstacles) {
  const qreal sign = to.side == Side::right ? 1 : -1;
  if ((from.at.x() - to.at.x()) * sign > stub && to.at.y() > from.at.y()) {
    const QVector<QPointF> bent = {from.at, {from.at.x(), to.at.y()}, to.at};
    if (!crosses(bent, obstacles)) return bent;
  }
  QVector<QRectF> mirrored;
  for (const QRectF& o : obstacles) mirrored << (sign > 0 ? o : QRectF(-o.right(), o.top(), o.width(), o.height()));
  const auto mirror = [sign](const ConnectionEnd& e) {
    return ConnectionEnd{{e.at.x() * sign, e.at.y()},
                         e.side,
                         sign > 0 ? e.card : QRectF(-e.card.right(), e.card.top(), e.card.width(), e.card.height())};
  };
  const qreal x = sign * freeLane(mirror(from), mirror(to), mirrored);
  return {from.at, {from.at.x(), from.at.y() + stub}, {x, from.at.y() + stub}, {x, to.at.y()}, to.at};
}

}  // namespace

QVector<QPointF> routeConnection(const ConnectionEnd& from, const ConnectionEnd& to, const QVector<QRectF>& obstacles) {
  if (to.side == Side::left || to.side == Side::right) return intoSide(from, to, obstacles);
  if (to.at.y() >= from.at.y() + stub / 2) return downInto(from, to, obstacles);
  return upInto(from, to, obstacles);
}

QPainterPath roundedPath(const QVector<QPointF>& corners, qreal radius) {
  QPainterPath path;
  if (corners.isEmpty()) return path;
  path.moveTo(corners.first());
  for (int i = 1; i + 1 < corners.size(); ++i) {
    const QLineF in(corners[i], corners[i - 1]), out(corners[i], corners[i + 1]);
    const qreal r = std::min({radius, in.length() / 2, out.length() / 2});
    if (r < 0.1) {
      path.lineTo(corners[i]);
      continue;
    }
    path.lineTo(in.pointAt(r / in.length()));
    path.quadTo(corners[i], out.pointAt(r / out.length()));
  }
  path.lineTo(corners.last());
  return path;
}

QPointF labelAnchor(const QVector<QPointF>& corners) {
  QPointF best = corners.isEmpty() ? QPointF() : corners.first();
  qreal longest = -1;
  for (int i = 1; i < corners.size(); ++i) {
    const QPointF d = corners[i] - corners[i - 1];
    const qreal length = std::abs(d.y()) - std::abs(d.x());
    if (length > longest) {
      longest = length;
      best = (corners[i] + corners[i - 1]) / 2;
    }
  }
  return best;
}

}  // namespace nw::ui
