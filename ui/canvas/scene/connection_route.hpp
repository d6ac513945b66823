// SPDX-License-Identifier: GPL-3.0-or-later
// The route of a connection: down, across, down; around nodes in the way; into the top or the side of a node.
#pragma once
#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QVector>

namespace nw::ui {

enum class Side : quint8 { top, bottom, left, right };

struct ConnectionEnd {
  QPointF at;
  Side side = Side::top;
  QRectF card;  // the node's rectangle; empty while the end is not connected
};

/// Corners of the route. `obstacles`: nodes that the connection should avoid (without its own two).
QVector<QPointF> routeConnection(const ConnectionEnd& from, const ConnectionEnd& to, const QVector<QRectF>& obstacles);
QPainterPath roundedPath(const QVector<QPointF>& corners, qreal radius);
/// Middle of the longest vertical piece: the shape label sits right of it.
QPointF labelAnchor(const QVector<QPointF>& corners);

}  // namespace nw::ui
