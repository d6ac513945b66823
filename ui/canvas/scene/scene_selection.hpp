// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected in a scene, by kind, and the node that keyboard and inspector refer to.
#pragma once
#include <QGraphicsItem>
#include <QObject>
#include <functional>
#include <vector>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

class GraphScene;

class SceneSelection : public QObject {
 public:
  explicit SceneSelection(GraphScene& scene);
  std::vector<NodeId> nodes() const;
  std::vector<Connection> connections() const;
  std::vector<ItemId> frames() const;
  std::vector<ItemId> notes() const;
  /// Selects these nodes and nothing else.
  void selectOnly(const std::vector<NodeId>& nodes);
  /// Selects the items that `wanted` accepts and no others; selectionChanged() is emitted once.
  void choose(const std::function<bool(const QGraphicsItem&)>& wanted);
  /// The node that was selected last; 0: none.
  NodeId current() const { return current_; }
  void setCurrent(NodeId id) { selectOnly({id}); }
  /// The node is about to be removed; 0: all are.
  void forget(NodeId id = 0);

 private:
  void trackCurrent();
  GraphScene& scene_;
  NodeId current_ = 0;
};

}  // namespace nw::ui
