// SPDX-License-Identifier: GPL-3.0-or-later
// Where a connection runs: down, across, down; around cards in the way; into the top or the side of a card.
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
  QRectF card;  // of the node it belongs to; empty while the end is free
};

/// Corners of the route. `obstacles`: cards that the wire should not cross (the two ends' own cards left out).
QVector<QPointF> routeConnection(const ConnectionEnd& from, const ConnectionEnd& to, const QVector<QRectF>& obstacles);
QPainterPath roundedPath(const QVector<QPointF>& corners, qreal radius);
/// Middle of the longest vertical piece: the shape label sits right of it.
QPointF labelAnchor(const QVector<QPointF>& corners);

}  // namespace nw::ui
