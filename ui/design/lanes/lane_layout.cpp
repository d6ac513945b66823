// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/lanes/lane_layout.hpp"

#include <algorithm>
#include <cmath>

#include "ui/canvas/scene/paint_tools.hpp"

namespace nw::ui {

LaneLayout laneLayout(const std::vector<NodeId>& cards, const Lanes& lanes, int count, qreal width) {
  LaneLayout all;
  all.laneWidth = width / std::max(1, count);
  const qreal padding = std::min(lane::sidePadding, all.laneWidth / 6);
  const qreal card = std::min(lane::widestCard, all.laneWidth - 2 * padding);
  std::map<int, int> rows;
  int longest = 0;
  for (const NodeId id : cards) {
    const int column = lanes.at(id), row = rows[column]++;
    all.cards[id] = QRectF(column * all.laneWidth + (all.laneWidth - card) / 2, lane::top + row * lane::pitch, card,
                           lane::cardHeight);
    longest = std::max(longest, row + 1);
  }
  all.height = lane::top + longest * lane::pitch + lane::bottom;
  return all;
}

int laneAt(const LaneLayout& layout, int lanes, qreal x) {
  if (layout.laneWidth <= 0) return 0;
  return std::clamp(static_cast<int>(std::floor(x / layout.laneWidth)), 0, std::max(0, lanes - 1));
}

QPolygonF crossingRoute(const QRectF& from, const QRectF& to, int fromLane, int toLane, qreal laneWidth, qreal shift) {
  const qreal first = (fromLane + 1) * laneWidth + shift, last = toLane * laneWidth + shift;
  const qreal above = lane::top / 2 + shift / 2;
  QPolygonF route;
  route << QPointF(from.right(), from.center().y()) << QPointF(first, from.center().y());
  if (toLane > fromLane + 1) route << QPointF(first, above) << QPointF(last, above);
  route << QPointF(last, to.center().y()) << QPointF(to.left(), to.center().y());
  return route;
}

qreal crossingWidth(std::int64_t bytes, std::int64_t most) {
  if (bytes <= 0 || most <= 0) return 3;
  return 3 + 6 * std::sqrt(std::min(1.0, static_cast<double>(bytes) / static_cast<double>(most)));
}

std::vector<QRectF> labelPlaces(const std::vector<QPointF>& centres, const QSizeF& size) {
  std::vector<QRectF> places;
  for (const QPointF& centre : centres) {
    QRectF place(centre - QPointF(size.width(), size.height()) / 2, size);
    for (bool free = false; !free;) {
      free = true;
      for (const QRectF& other : places)
        if (other.intersects(place)) place.moveTop(other.bottom() + 4), free = false;
    }
    places.push_back(place);
  }
  return places;
}

QColor laneColour(const Theme& t, int lane) { return t.series[lane % 6]; }

QColor passColour(const Theme& t, int lane, bool backward) {
  const QColor full = laneColour(t, lane);
  return backward == t.dark ? blend(full, t.window, 0.5) : full;
}

QColor laneGround(const Theme& t, int lane) {
  return t.highContrast ? t.canvas : blend(t.canvas, laneColour(t, lane), 0.06);
}

QColor segmentColour(const Theme& t, const QColor& of, int segment) { return blend(of, t.window, 0.22 * segment); }

QColor inkOf(const QColor& ground) {
  const QColor black(0x11, 0x12, 0x15), white(Qt::white);
  return contrastOf(black, ground) >= contrastOf(white, ground) ? black : white;
}

double axisStep(double end, int most) {
  if (end <= 0 || most <= 0) return 1;
  const double least = end / most, power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

}  // namespace nw::ui
