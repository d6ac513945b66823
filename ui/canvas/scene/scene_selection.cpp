// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/scene_selection.hpp"

#include <QSignalBlocker>
#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_item.hpp"

namespace nw::ui {
namespace {

template <class Items>
auto selectedIn(const Items& items) {
  std::vector<typename Items::key_type> ids;
  for (const auto& [id, item] : items)
    if (item->isSelected()) ids.push_back(id);
  return ids;
}

template <class Items, class Held>
auto remaining(const std::vector<typename Items::key_type>& ids, const Items& items, const Held& held) {
  std::vector<typename Items::key_type> left;
  std::copy_if(ids.begin(), ids.end(), std::back_inserter(left),
               [&](const auto& id) { return items.contains(id) && held(id); });
  return left;
}

/// The graph that is shown; empty when an edit removed its scope and the scene has not followed yet.
const Graph& graphOf(const GraphScene& scene) {
  static const Graph none;
  return scene.doc().has_scope(scene.scope()) ? scene.graph() : none;
}

}  // namespace

SceneSelection::SceneSelection(GraphScene& scene) : scene_(scene) {
  connect(&scene_, &QGraphicsScene::selectionChanged, this, [this] {
    if (!paused_ && read()) Q_EMIT scene_.selectionUpdated();
  });
}

std::vector<NodeId> SceneSelection::nodes() const {
  return remaining(held_.nodes, scene_.elements().nodes(),
                   [&](NodeId id) { return graphOf(scene_).nodes.contains(id); });
}

std::vector<Connection> SceneSelection::connections() const {
  const auto& held = graphOf(scene_).connections;
  return remaining(held_.connections, scene_.elements().connections(),
                   [&](const Connection& c) { return std::binary_search(held.begin(), held.end(), c); });
}

std::vector<ItemId> SceneSelection::frames() const {
  return remaining(held_.frames, scene_.elements().frames(),
                   [&](ItemId id) { return graphOf(scene_).frames.contains(id); });
}

std::vector<ItemId> SceneSelection::notes() const {
  return remaining(held_.notes, scene_.elements().notes(),
                   [&](ItemId id) { return graphOf(scene_).notes.contains(id); });
}

NodeId SceneSelection::current() const {
  const NodeId id = held_.current;
  return scene_.elements().nodes().contains(id) && graphOf(scene_).nodes.contains(id) ? id : 0;
}

/// True when the selection differs from the previous one.
bool SceneSelection::read() {
  Held now{selectedIn(scene_.elements().nodes()), selectedIn(scene_.elements().connections()),
           selectedIn(scene_.elements().frames()), selectedIn(scene_.elements().notes())};
  const std::vector<NodeId>& nodes = now.nodes;
  const bool stays = nodes.size() > 1 && std::binary_search(nodes.begin(), nodes.end(), held_.current);
  now.current = nodes.empty() ? 0 : stays ? held_.current : nodes.back();
  if (now == held_) return false;
  held_ = std::move(now);
  return true;
}

bool SceneSelection::resume() {
  paused_ = false;
  return read();
}

void SceneSelection::choose(const std::function<bool(const QGraphicsItem&)>& wanted) {
  std::vector<const QGraphicsItem*> changed;
  {
    const QSignalBlocker quiet(&scene_);  // every listener reads the whole selection
    for (QGraphicsItem* item : scene_.items())
      if (const bool chosen = wanted(*item); chosen != item->isSelected()) {
        item->setSelected(chosen);
        changed.push_back(item);
      }
  }
  if (changed.empty()) return;
  for (const QGraphicsItem* item : changed) {
    Q_EMIT scene_.placeChanged(item->sceneBoundingRect());
    if (item->type() != NodeItem::Type) continue;
    for (const ConnectionItem* connection : scene_.elements().connectionsOf(static_cast<const NodeItem*>(item)->id()))
      Q_EMIT scene_.placeChanged(connection->seenRect());
  }
  Q_EMIT scene_.selectionChanged();
}

void SceneSelection::selectOnly(const std::vector<NodeId>& ids) {
  const std::unordered_set<NodeId> chosen(ids.begin(), ids.end());
  choose([&](const QGraphicsItem& item) {
    return item.type() == NodeItem::Type && chosen.contains(static_cast<const NodeItem&>(item).id());
  });
}

}  // namespace nw::ui
