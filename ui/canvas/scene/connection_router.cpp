// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/connection_router.hpp"

#include <algorithm>
#include <map>

#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"

namespace nw::ui {

void ConnectionRouter::add(ConnectionItem* item) {
  for (const NodeId end : {item->connection().from, item->connection().to}) connections_[end].append(item);
}

void ConnectionRouter::remove(ConnectionItem* item) {
  for (const NodeId end : {item->connection().from, item->connection().to}) connections_[end].removeAll(item);
}

void ConnectionRouter::clear() {
  connections_.clear();
  cards_.clear();
}

const QVector<ConnectionItem*>& ConnectionRouter::connectionsOf(NodeId node) const {
  static const QVector<ConnectionItem*> none;
  const auto found = connections_.find(node);
  return found == connections_.end() ? none : found->second;
}

std::set<NodeId> ConnectionRouter::makeRoom() {
  std::vector<std::pair<double, NodeItem*>> rows;
  for (const auto& [id, item] : scene_.elements().nodes())
    if (!item->isEditPreview()) rows.emplace_back(scene_.graph().nodes.at(id).position.y, item);
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::map<double, double> lowest;  // by column: lower edge of the error strips and of the nodes they moved down
  std::set<NodeId> moved;
  for (const auto& [y, item] : rows) {
    const double x = item->pos().x(), top = y + item->card().top();
    double wanted = top;
    for (auto near = lowest.lower_bound(x - card::width); near != lowest.end() && near->first < x + card::width; ++near)
      wanted = std::max(wanted, near->second + card::stripGap);
    if (item->setSlide(wanted - top)) moved.insert(item->id());
    if (wanted > top || item->outline().height() > item->card().height())
      lowest[x] = std::max(lowest[x], item->outline().bottom());
  }
  if (!moved.empty())
    for (const auto& [id, item] : scene_.elements().frames()) item->refresh();
  return moved;
}

/// The room around a node with an error strip depends on its neighbours.
void ConnectionRouter::indexNodes(const std::set<NodeId>& moved) {
  const auto index = [this](NodeId id) {
    const NodeItem* item = scene_.elements().node(id);
    if (item && !item->isEditPreview())
      cards_.put(id, item->room());
    else
      cards_.remove(id);
  };
  for (const NodeId id : moved) index(id);
  for (const auto& [id, list] : scene_.index().problems())
    if (!moved.contains(id)) index(id);
}

/// The connections that begin or end at one of the nodes, or cross its rectangle.
std::unordered_set<ConnectionItem*> ConnectionRouter::connectionsAround(const std::set<NodeId>& nodes) const {
  std::unordered_set<ConnectionItem*> found;
  if (nodes.size() * 4 > scene_.elements().nodes().size()) {
    for (const auto& [c, item] : scene_.elements().connections()) found.insert(item);
    return found;
  }
  for (const NodeId id : nodes) {
    if (const auto own = connections_.find(id); own != connections_.end())
      found.insert(own->second.begin(), own->second.end());
    const NodeItem* card = scene_.elements().node(id);
    if (!card) continue;
    for (QGraphicsItem* item : scene_.items(card->outline(), Qt::IntersectsItemBoundingRect))
      if (item->type() == ConnectionItem::Type) found.insert(static_cast<ConnectionItem*>(item));
  }
  return found;
}

void ConnectionRouter::reroute(const std::set<NodeId>& nodes) {
  indexNodes(nodes);
  for (ConnectionItem* item : connectionsAround(nodes)) {
    item->refresh();
    item->route(cards_.near(item->span(), item->connection().from, item->connection().to));
  }
  for (const auto& [id, item] : scene_.elements().frames())
    if (item->needsRepaint(item->content().size())) item->update();
}

}  // namespace nw::ui
