// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/scene_elements.hpp"

#include <algorithm>

#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"

namespace nw::ui {

void SceneElements::clear() {
  nodes_.clear();
  connections_.clear();
  frames_.clear();
  notes_.clear();
  router_.clear();
  scene_.clear();
}

void SceneElements::addAll() {
  const Graph& graph = scene_.graph();
  for (const auto& [id, frame] : graph.frames) scene_.addItem(frames_[id] = new FrameItem(scene_, id));
  for (const auto& [id, note] : graph.notes) scene_.addItem(notes_[id] = new NoteItem(scene_, id));
  for (const auto& [id, node] : graph.nodes) {
    auto* item = new NodeItem(scene_, id);
    nodes_[id] = item;
    scene_.addItem(item);
  }
  for (const Connection& c : graph.connections) addConnection(c);
  const std::set<NodeId> all = allNodes();
  refreshNodes(all);
  router_.makeRoom();
  reroute(all);
}

std::set<NodeId> SceneElements::allNodes() const {
  std::set<NodeId> all;
  for (const auto& [id, item] : nodes_) all.insert(id);
  return all;
}

std::set<NodeId> SceneElements::apply(const Edit& edit) {
  const std::string& scope = scene_.scope();
  const Graph& graph = scene_.graph();
  std::set<NodeId> touched;
  for (const Put& change : edit) {
    if (std::holds_alternative<PutBlock>(change)) touched.merge(allNodes());
    if (const auto* p = std::get_if<PutNode>(&change); p && p->scope == scope) put(*p, &touched);
    if (const auto* p = std::get_if<PutConnection>(&change); p && p->scope == scope) put(*p, &touched);
    if (const auto* p = std::get_if<PutFrame>(&change); p && p->scope == scope)
      putBox(frames_, p->id, graph.frames.contains(p->id));
    if (const auto* p = std::get_if<PutNote>(&change); p && p->scope == scope)
      putBox(notes_, p->id, graph.notes.contains(p->id));
  }
  return touched;
}

void SceneElements::refresh(std::set<NodeId> nodes) {
  refreshNodes(nodes);
  nodes.merge(router_.makeRoom());
  reroute(nodes);
  for (const auto& [id, item] : frames_) item->update();  // a frame's title has the number of layers in the frame
}

void SceneElements::refreshAnalysis() {
  std::set<NodeId> moved;
  for (const auto& [id, item] : nodes_)
    if (item->refreshFacts()) moved.insert(id);
  moved.merge(router_.makeRoom());
  for (const auto& [c, item] : connections_) item->refresh();
  reroute(moved);
}

void SceneElements::put(const PutNode& change, std::set<NodeId>* touched) {
  const bool wanted = scene_.graph().nodes.contains(change.id);
  const auto found = nodes_.find(change.id);
  if (wanted) touched->insert(change.id);
  if (wanted && found == nodes_.end()) scene_.addItem(nodes_[change.id] = new NodeItem(scene_, change.id));
  if (wanted || found == nodes_.end()) return;
  NodeItem* item = found->second;
  item->update();  // repaint the old position
  nodes_.erase(found);
  router_.removeNode(change.id);
  scene_.removeItem(item);
  delete item;
}

void SceneElements::put(const PutConnection& change, std::set<NodeId>* touched) {
  const auto& wires = scene_.graph().connections;
  const bool wanted = std::binary_search(wires.begin(), wires.end(), change.connection);
  for (const NodeId id : {change.connection.from, change.connection.to})
    if (scene_.graph().nodes.contains(id)) touched->insert(id);
  if (wanted && !connections_.contains(change.connection)) addConnection(change.connection);
  if (!wanted && connections_.contains(change.connection)) removeConnection(change.connection);
}

template <class Item>
void SceneElements::putBox(std::map<ItemId, Item*>& items, ItemId id, bool wanted) {
  const auto found = items.find(id);
  if (wanted && found != items.end()) return found->second->refresh();
  if (wanted) return scene_.addItem(items[id] = new Item(scene_, id));
  if (found == items.end()) return;
  found->second->update();
  delete found->second;
  items.erase(id);
}

void SceneElements::addConnection(const Connection& c) {
  ConnectionItem* item = connections_[c] = new ConnectionItem(scene_, c);
  router_.add(item);
  scene_.addItem(item);
}

void SceneElements::removeConnection(const Connection& c) {
  ConnectionItem* item = connections_.at(c);
  item->update();
  router_.remove(item);
  connections_.erase(c);
  delete item;
}

void SceneElements::refreshNodes(const std::set<NodeId>& nodes) {
  for (const NodeId id : nodes)
    if (NodeItem* item = node(id)) {
      item->refresh();
      item->update();
    }
}

NodeItem* SceneElements::node(NodeId id) const {
  const auto found = nodes_.find(id);
  return found == nodes_.end() ? nullptr : found->second;
}
FrameItem* SceneElements::frame(ItemId id) const {
  const auto found = frames_.find(id);
  return found == frames_.end() ? nullptr : found->second;
}
NoteItem* SceneElements::note(ItemId id) const {
  const auto found = notes_.find(id);
  return found == notes_.end() ? nullptr : found->second;
}
ConnectionItem* SceneElements::connection(const Connection& c) const {
  const auto found = connections_.find(c);
  return found == connections_.end() ? nullptr : found->second;
}

QRectF SceneElements::contentRect() const {
  QRectF all;
  for (const auto& [id, item] : nodes_) all = all.united(item->outline());
  for (const auto& [c, item] : connections_) all = all.united(item->boundingRect());
  for (const auto& [id, item] : frames_) all = all.united(item->outline());
  for (const auto& [id, item] : notes_) all = all.united(item->outline());
  return all;
}

void SceneElements::paintLabels(QPainter& painter, const QRectF& exposed, qreal zoom) const {
  if (!scene_.display().showShapes() || zoom < card::barsBelow) return;
  for (const QGraphicsItem* item : scene_.items(exposed, Qt::IntersectsItemBoundingRect, Qt::AscendingOrder))
    if (item->type() == ConnectionItem::Type) static_cast<const ConnectionItem*>(item)->paintLabel(painter);
}

}  // namespace nw::ui
