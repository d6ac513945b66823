// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/scene_selection.hpp"

#include <QSignalBlocker>
#include <algorithm>
#include <unordered_set>

#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_item.hpp"

namespace nw::ui {
namespace {

/// The keys of the items that are selected.
template <class Key, class Item>
std::vector<Key> selectedOf(const std::map<Key, Item*>& items) {
  std::vector<Key> keys;
  for (const auto& [key, item] : items)
    if (item->isSelected()) keys.push_back(key);
  return keys;
}

}  // namespace

SceneSelection::SceneSelection(GraphScene& scene) : scene_(scene) {
  connect(&scene_, &QGraphicsScene::selectionChanged, this, &SceneSelection::trackCurrent);
}

std::vector<NodeId> SceneSelection::nodes() const { return selectedOf(scene_.nodes()); }
std::vector<Connection> SceneSelection::connections() const { return selectedOf(scene_.connections()); }
std::vector<ItemId> SceneSelection::frames() const { return selectedOf(scene_.frames()); }
std::vector<ItemId> SceneSelection::notes() const { return selectedOf(scene_.notes()); }

void SceneSelection::forget(NodeId id) {
  if (id == 0 || id == current_) current_ = 0;
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
    for (const ConnectionItem* connection : scene_.connectionsOf(static_cast<const NodeItem*>(item)->id()))
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

void SceneSelection::trackCurrent() {
  const std::vector<NodeId> selected = nodes();
  if (selected.empty())
    current_ = 0;
  else if (selected.size() == 1 || std::find(selected.begin(), selected.end(), current_) == selected.end())
    current_ = selected.back();
}

}  // namespace nw::ui
