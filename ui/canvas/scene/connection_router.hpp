// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the connections of a scene routed around its nodes, and the nodes out of each other's error messages.
#pragma once
#include <QVector>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "ui/canvas/scene/node_grid.hpp"

namespace nw::ui {

class ConnectionItem;
class GraphScene;

class ConnectionRouter {
 public:
  explicit ConnectionRouter(GraphScene& scene) : scene_(scene) {}
  void add(ConnectionItem* item);
  void remove(ConnectionItem* item);
  void removeNode(NodeId id) { cards_.remove(id); }
  void clear();
  const QVector<ConnectionItem*>& connectionsOf(NodeId node) const;
  /// Routes the connections that begin or end at one of the nodes, or cross the rectangle of one.
  void reroute(const std::set<NodeId>& nodes);
  /// Nodes that an error message above would cover are shown further down, and those below them in turn; frames grow
  /// with them. The nodes that moved.
  std::set<NodeId> makeRoom();

 private:
  void indexNodes(const std::set<NodeId>& moved);
  std::unordered_set<ConnectionItem*> connectionsAround(const std::set<NodeId>& nodes) const;

  GraphScene& scene_;
  std::unordered_map<NodeId, QVector<ConnectionItem*>> connections_;  // by each of their ends
  NodeGrid cards_;  // the rectangles that connections are routed around
};

}  // namespace nw::ui
