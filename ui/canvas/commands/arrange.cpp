// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/commands/arrange.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"

namespace nw::ui {
namespace {

using Places = std::map<NodeId, Point>;

void moveTo(GraphScene& scene, const Places& places, const char* text) {
  EditChain chain(scene.doc());
  chain.add(move_nodes(chain.doc(), scene.scope(), places));
  push(scene, chain, text);
}

/// Node rectangles at the document's positions: displacements by error strips are ignored.
std::map<NodeId, QRectF> cards(const GraphScene& scene) {
  std::map<NodeId, QRectF> all;
  for (const NodeId id : scene.selection().nodes()) all[id] = cardOf(scene.graph().nodes.at(id));
  return all;
}

}  // namespace

void alignSelected(GraphView& view, Align how) {
  const auto all = cards(view.graph());
  if (all.size() < 2) return;
  QRectF area;
  for (const auto& [id, card] : all) area = area.united(card);
  Places places;
  for (const auto& [id, card] : all) {
    QPointF at = card.center();
    switch (how) {
      case Align::left:
        at.setX(area.left() + card.width() / 2);
        break;
      case Align::centre:
        at.setX(area.center().x());
        break;
      case Align::right:
        at.setX(area.right() - card.width() / 2);
        break;
      case Align::top:
        at.setY(area.top() + card.height() / 2);
        break;
      case Align::middle:
        at.setY(area.center().y());
        break;
      case Align::bottom:
        at.setY(area.bottom() - card.height() / 2);
        break;
    }
    places[id] = {at.x(), at.y()};
  }
  moveTo(view.graph(), places, QT_TRANSLATE_NOOP("canvas", "Align"));
}

void distributeSelected(GraphView& view, bool across) {
  const auto all = cards(view.graph());
  if (all.size() < 3) return;
  std::vector<std::pair<NodeId, QRectF>> row(all.begin(), all.end());
  const auto begin = [across](const QRectF& r) { return across ? r.left() : r.top(); };
  const auto size = [across](const QRectF& r) { return across ? r.width() : r.height(); };
  std::stable_sort(row.begin(), row.end(),
                   [&](const auto& a, const auto& b) { return begin(a.second) < begin(b.second); });
  double filled = 0;
  for (const auto& [id, card] : row) filled += size(card);
  const QRectF &first = row.front().second, &last = row.back().second;
  const double gap = (begin(last) + size(last) - begin(first) - filled) / static_cast<double>(row.size() - 1);
  Places places;
  double next = begin(first);
  for (const auto& [id, card] : row) {
    const double middle = next + size(card) / 2;
    places[id] = across ? Point{middle, card.center().y()} : Point{card.center().x(), middle};
    next += size(card) + gap;
  }
  moveTo(view.graph(), places, QT_TRANSLATE_NOOP("canvas", "Spread evenly"));
}

void straightenSelected(GraphView& view) {
  GraphScene& scene = view.graph();
  std::vector<NodeId> order = scene.selection().nodes();
  const auto& nodes = scene.graph().nodes;
  std::stable_sort(order.begin(), order.end(),
                   [&](NodeId a, NodeId b) { return nodes.at(a).position.y < nodes.at(b).position.y; });
  Places places;
  for (const NodeId id : order)
    for (const Connection& c : scene.graph().connections) {
      if (c.to != id || c.to_port != 0) continue;
      const auto moved = places.find(c.from);
      const NodeItem *from = scene.elements().node(c.from), *to = scene.elements().node(id);
      const double above = moved == places.end() ? nodes.at(c.from).position.x : moved->second.x;
      const double shift = (from->portPosition(true, c.from_port).x() - from->pos().x()) -
                           (to->portPosition(false, 0).x() - to->pos().x());
      places[id] = {above + shift, nodes.at(id).position.y};
    }
  moveTo(scene, places, QT_TRANSLATE_NOOP("canvas", "Straighten"));
}

}  // namespace nw::ui
