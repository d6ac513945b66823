// SPDX-License-Identifier: GPL-3.0-or-later
// GraphScene's selection. Qt's items hold it; the scene reads it from them when no change of the document is under way,
// and returns only ids that the document and the scene both still have.
#include <QSignalBlocker>
#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "ui/canvas/connection_item.hpp"
#include "ui/canvas/frame_item.hpp"
#include "ui/canvas/graph_scene.hpp"
#include "ui/canvas/node_item.hpp"

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

std::vector<NodeId> GraphScene::selectedNodes() const {
  return remaining(selection_.nodes, nodes_, [&](NodeId id) { return graphOf(*this).nodes.contains(id); });
}

std::vector<Connection> GraphScene::selectedConnections() const {
  const auto& held = graphOf(*this).connections;
  return remaining(selection_.connections, connections_,
                   [&](const Connection& c) { return std::binary_search(held.begin(), held.end(), c); });
}

std::vector<ItemId> GraphScene::selectedFrames() const {
  return remaining(selection_.frames, frames_, [&](ItemId id) { return graphOf(*this).frames.contains(id); });
}

std::vector<ItemId> GraphScene::selectedNotes() const {
  return remaining(selection_.notes, notes_, [&](ItemId id) { return graphOf(*this).notes.contains(id); });
}

NodeId GraphScene::current() const {
  const NodeId id = selection_.current;
  return nodes_.contains(id) && graphOf(*this).nodes.contains(id) ? id : 0;
}

/// True when the selection differs from the one before.
bool GraphScene::readSelection() {
  Selection now{selectedIn(nodes_), selectedIn(connections_), selectedIn(frames_), selectedIn(notes_)};
  const std::vector<NodeId>& nodes = now.nodes;
  const bool stays = nodes.size() > 1 && std::binary_search(nodes.begin(), nodes.end(), selection_.current);
  now.current = nodes.empty() ? 0 : stays ? selection_.current : nodes.back();
  if (now == selection_) return false;
  selection_ = std::move(now);
  return true;
}

void GraphScene::updateSelection() {
  if (!changing_ && readSelection()) Q_EMIT selectionUpdated();
}

void GraphScene::choose(const std::function<bool(const QGraphicsItem&)>& wanted) {
  std::vector<const QGraphicsItem*> changed;
  {
    const QSignalBlocker quiet(this);  // every listener looks at all that is selected
    for (QGraphicsItem* item : items())
      if (const bool chosen = wanted(*item); chosen != item->isSelected()) {
        item->setSelected(chosen);
        changed.push_back(item);
      }
  }
  if (changed.empty()) return;
  for (const QGraphicsItem* item : changed) {
    Q_EMIT placeChanged(item->sceneBoundingRect());
    if (item->type() != NodeItem::Type) continue;
    if (const auto found = wires_.find(static_cast<const NodeItem*>(item)->id()); found != wires_.end())
      for (const ConnectionItem* wire : found->second) Q_EMIT placeChanged(wire->seenRect());
  }
  Q_EMIT selectionChanged();
}

void GraphScene::selectOnly(const std::vector<NodeId>& ids) {
  const std::unordered_set<NodeId> chosen(ids.begin(), ids.end());
  choose([&](const QGraphicsItem& item) {
    return item.type() == NodeItem::Type && chosen.contains(static_cast<const NodeItem&>(item).id());
  });
}

void GraphScene::setCurrent(NodeId id) { selectOnly({id}); }

void GraphScene::lightWires(NodeId node) {
  const auto found = wires_.find(node);
  if (found == wires_.end()) return;
  for (ConnectionItem* wire : found->second) wire->light();
}

}  // namespace nw::ui
