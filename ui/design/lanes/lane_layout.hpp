// SPDX-License-Identifier: GPL-3.0-or-later
// Where cards, crossing connections and passes of the timeline are drawn, and in which colours. Pure functions.
#pragma once
#include <QColor>
#include <QPolygonF>
#include <QRectF>
#include <map>
#include <vector>

#include "ui/design/lanes/lane_moves.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace lane {
inline constexpr qreal cardHeight = 38, pitch = 58, top = 34, bottom = 40, stripe = 4, widestCard = 236;
inline constexpr qreal sidePadding = 40;  // between a card and the edges of its lane, where room is
inline constexpr qreal headerHeight = 86, labelHeight = 34;
}  // namespace lane

struct LaneLayout {
  std::map<NodeId, QRectF> cards;
  qreal laneWidth = 0;
  qreal height = 0;
};
/// The cards of each lane one below the other, in the order of `cards`. Lanes share the width equally.
LaneLayout laneLayout(const std::vector<NodeId>& cards, const Lanes&, int lanes, qreal width);
/// The lane at this x, within 0 and lanes - 1.
int laneAt(const LaneLayout&, int lanes, qreal x);

/// A connection from the right side of one card to the left side of another on a later lane. It goes along the border
/// of the first lane, `shift` beside it, and past lanes between them above their cards.
QPolygonF crossingRoute(const QRectF& from, const QRectF& to, int fromLane, int toLane, qreal laneWidth, qreal shift);
/// 3 to 9 px by bytes, in proportion to the square root of their share of `most`.
qreal crossingWidth(std::int64_t bytes, std::int64_t most);
/// The places of labels that would stand at these centres, moved down where they would cover one before them.
std::vector<QRectF> labelPlaces(const std::vector<QPointF>& centres, const QSizeF& size);

/// Of a lane's stripe, connections and passes.
QColor laneColour(const Theme&, int lane);
/// Of a pass: forward and backward differ in lightness.
QColor passColour(const Theme&, int lane, bool backward);
/// Of a lane's ground: the colour of the canvas with a little of the lane's.
QColor laneGround(const Theme&, int lane);
/// Of a segment of the memory bar: weights, gradients, activations, workspace (0 to 3).
QColor segmentColour(const Theme&, const QColor& of, int segment);
/// Black or white, whichever is read better on it.
QColor inkOf(const QColor& ground);

/// A round step of the axis (1, 2, 5 times a power of ten), of which `end` has at most `most`.
double axisStep(double end, int most);

}  // namespace nw::ui
