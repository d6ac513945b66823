// SPDX-License-Identifier: GPL-3.0-or-later
// The selection of a scene. Qt's items store it; it is read from them while no change of the document is in progress.
#pragma once
#include <QGraphicsItem>
#include <QObject>
#include <functional>
#include <vector>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

class GraphScene;

/// Every id that the getters return is in the document's open scope and has an item in the scene, at any moment, also
/// while the scene follows a change of the document.
class SceneSelection : public QObject {
 public:
  explicit SceneSelection(GraphScene& scene);
  std::vector<NodeId> nodes() const;
  std::vector<Connection> connections() const;
  std::vector<ItemId> frames() const;
  std::vector<ItemId> notes() const;
  /// The node that the keyboard and the inspector act on: the one selected last; 0: none.
  NodeId current() const;
  void setCurrent(NodeId id) { selectOnly({id}); }
  /// Selects these nodes and nothing else.
  void selectOnly(const std::vector<NodeId>& nodes);
  /// Selects the items for which `wanted` is true, and no others; selectionUpdated() is emitted once.
  void choose(const std::function<bool(const QGraphicsItem&)>& wanted);
  /// For the scene, which adds and removes items in between. resume() returns whether the selection differs from the
  /// one before; until then selectionUpdated() is not emitted.
  void pause() { paused_ = true; }
  bool resume();

 private:
  /// Ids in ascending order.
  struct Held {
    std::vector<NodeId> nodes;
    std::vector<Connection> connections;
    std::vector<ItemId> frames, notes;
    NodeId current = 0;
    bool operator==(const Held&) const = default;
  };
  bool read();

  GraphScene& scene_;
  Held held_;  // the items' selection after the last change
  bool paused_ = false;
};

}  // namespace nw::ui
