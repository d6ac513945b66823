// SPDX-License-Identifier: GPL-3.0-or-later
// The items that show the nodes, connections, frames and notes of one scope, by the ids of the document.
#pragma once
#include <QRectF>
#include <map>
#include <set>

#include "engine/design/graph_doc.hpp"
#include "ui/canvas/scene/connection_router.hpp"

class QPainter;

namespace nw::ui {

class ConnectionItem;
class FrameItem;
class GraphScene;
class NodeItem;
class NoteItem;

/// Adds an item to the scene for each element of the scene's scope and removes it with the element. The scene owns the
/// items. GUI thread.
class SceneElements {
 public:
  explicit SceneElements(GraphScene& scene) : scene_(scene), router_(scene) {}

  /// The item of an element; null: the scope has no such element.
  NodeItem* node(NodeId) const;
  FrameItem* frame(ItemId) const;
  NoteItem* note(ItemId) const;
  ConnectionItem* connection(const Connection&) const;
  const std::map<NodeId, NodeItem*>& nodes() const { return nodes_; }
  const std::map<Connection, ConnectionItem*>& connections() const { return connections_; }
  const std::map<ItemId, FrameItem*>& frames() const { return frames_; }
  const std::map<ItemId, NoteItem*>& notes() const { return notes_; }
  /// The items of the connections that begin or end at the node.
  const QVector<ConnectionItem*>& connectionsOf(NodeId node) const { return router_.connectionsOf(node); }
  /// The scope has no nodes, frames or notes.
  bool isEmpty() const { return nodes_.empty() && frames_.empty() && notes_.empty(); }
  /// The rectangle around all items, in scene coordinates; null: the scope is empty.
  QRectF contentRect() const;
  /// The shapes on the connections, over wires and cards. `exposed` is in scene coordinates.
  void paintLabels(QPainter& painter, const QRectF& exposed, qreal zoom) const;

  /// The connections of these nodes follow their items.
  void reroute(const std::set<NodeId>& nodes) { router_.reroute(nodes); }
  /// Removes all items from the scene.
  void clear();
  /// Adds an item for each element of the scope. The elements must have none, and the scene's index must be of the
  /// scope.
  void addAll();
  /// Adds and removes items so that they are those of the document after `edit`. The nodes that changed or whose
  /// connections did; they look as before until refresh().
  std::set<NodeId> apply(const Edit& edit);
  /// Shows these nodes as the document and the scene's index have them, and routes connections around them.
  void refresh(std::set<NodeId> nodes);
  /// Shows the results of the newest analysis.
  void refreshAnalysis();

 private:
  std::set<NodeId> allNodes() const;
  void put(const PutNode&, std::set<NodeId>* touched);
  void put(const PutConnection&, std::set<NodeId>* touched);
  template <class Item>
  void putBox(std::map<ItemId, Item*>& items, ItemId id, bool wanted);
  void addConnection(const Connection&);
  void removeConnection(const Connection&);
  void refreshNodes(const std::set<NodeId>& nodes);

  GraphScene& scene_;
  std::map<NodeId, NodeItem*> nodes_;
  std::map<Connection, ConnectionItem*> connections_;
  std::map<ItemId, FrameItem*> frames_;
  std::map<ItemId, NoteItem*> notes_;
  ConnectionRouter router_;
};

}  // namespace nw::ui
