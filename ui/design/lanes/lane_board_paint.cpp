// SPDX-License-Identifier: GPL-3.0-or-later
// The ground of the lanes, the connections on and between them, and the places of what is dragged.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/design/lanes/lane_board.hpp"
#include "ui/theme/style.hpp"

namespace nw::ui {
namespace {

/// A line with rounded corners through these points.
QPainterPath rounded(const QPolygonF& route, qreal radius) {
  QPainterPath path(route.front());
  for (qsizetype i = 1; i + 1 < route.size(); ++i) {
    const QLineF in(route[i], route[i - 1]), out(route[i], route[i + 1]);
    const qreal r = std::min({radius, in.length() / 2, out.length() / 2});
    if (r < 0.5) {
      path.lineTo(route[i]);
      continue;
    }
    path.lineTo(in.pointAt(r / in.length()));
    path.quadTo(route[i], out.pointAt(r / out.length()));
  }
  path.lineTo(route.back());
  return path;
}

}  // namespace

void LaneBoard::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  paintLanes(p);
  paintWires(p);
  paintCrossings(p);
  paintSlots(p);
}

void LaneBoard::paintLanes(QPainter& p) const {
  const Theme& t = theme();
  p.fillRect(rect(), t.canvas);
  for (int at = 0; at < placement_.question().stages; ++at) {
    const QRectF area(at * layout_.laneWidth, 0, layout_.laneWidth, height());
    p.fillRect(area, laneGround(t, at));
    if (effect_ && effect_->lane == at) p.fillRect(area, blend(laneGround(t, at), t.accentSoft, 0.5));
    if (at == 0) continue;
    QPen dashes(t.border3, 1);
    dashes.setDashPattern({2, 3});
    p.setPen(dashes);
    p.drawLine(area.topLeft(), area.bottomLeft());
  }
}

/// Of one lane: straight to the next card, around the cards between where it skips some.
void LaneBoard::paintWires(QPainter& p) const {
  const QColor colour = connectionColour(theme());
  for (const Connection& c : scene_.doc().graph().connections) {
    const auto from = layout_.cards.find(c.from), to = layout_.cards.find(c.to);
    if (from == layout_.cards.end() || to == layout_.cards.end()) continue;
    const QRectF &a = from->second, &b = to->second;
    if (std::abs(a.center().x() - b.center().x()) > 1) continue;
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(colour, 2.5, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    if (b.top() - a.bottom() < lane::pitch) {
      const QPointF out(a.center().x(), a.bottom()), in(b.center().x(), b.top());
      p.drawLine(out, in);
    } else {
      const qreal x = a.left() - 12;
      p.drawPath(rounded(QPolygonF{{QPointF(a.left(), a.center().y()), QPointF(x, a.center().y()),
                                    QPointF(x, b.center().y()), QPointF(b.left(), b.center().y())}},
                         8));
    }
  }
}

void LaneBoard::paintCrossings(QPainter& p) const {
  const Theme& t = theme();
  std::vector<CardCrossing> all = cardCrossings(placement_.layers(), placement_.estimate());
  std::erase_if(
      all, [&](const CardCrossing& c) { return !layout_.cards.contains(c.from) || !layout_.cards.contains(c.to); });
  std::int64_t most = 0;
  for (const CardCrossing& c : all) most = std::max(most, c.bytes);
  std::vector<QPointF> centres;
  std::map<int, int> used;
  for (const CardCrossing& c : all) {
    const int from = placement_.placed().at(c.from), to = placement_.placed().at(c.to);
    const qreal shift = 7.0 * used[from]++;
    const QPolygonF route =
        crossingRoute(layout_.cards.at(c.from), layout_.cards.at(c.to), from, to, layout_.laneWidth, shift);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(laneColour(t, from), crossingWidth(c.bytes, most), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    p.drawPath(rounded(route, 10));
    centres.emplace_back(route[1].x(), (route[1].y() + route[2].y()) / 2);
  }
  const std::vector<QRectF> places = labelPlaces(centres, QSizeF(76, lane::labelHeight));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const QColor colour = laneColour(t, placement_.placed().at(all[i].from));
    style::box(p, places[i], radius::pill, t.raised, colour);
    p.setPen(t.text1);
    p.setFont(ui::font(TextRole::button));
    const QRectF upper = places[i].adjusted(0, 2, 0, -lane::labelHeight / 2 + 1);
    p.drawText(upper, Qt::AlignCenter, bytesText(static_cast<double>(all[i].bytes)));
    p.setPen(t.text2);
    p.setFont(ui::font(TextRole::mono));
    p.drawText(places[i].adjusted(0, lane::labelHeight / 2 - 2, 0, -2), Qt::AlignCenter, all[i].shape);
  }
}

/// Where the dragged cards were, and where they would be.
void LaneBoard::paintSlots(QPainter& p) const {
  if (!dragging()) return;
  const Theme& t = theme();
  QPen dashes(t.border3, 1.2);
  dashes.setDashPattern({3, 3});
  p.setBrush(Qt::NoBrush);
  p.setPen(dashes);
  p.drawRoundedRect(layout_.cards.at(dragged_), radius::compact, radius::compact);
  dashes.setColor(effect_ && !effect_->estimate ? t.error : t.ring);
  p.setPen(dashes);
  p.setBrush(t.accentSoft);
  for (const auto& [id, place] : slots_) p.drawRoundedRect(place, radius::compact, radius::compact);
}

}  // namespace nw::ui
