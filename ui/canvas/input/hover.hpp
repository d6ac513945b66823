// SPDX-License-Identifier: GPL-3.0-or-later
// Highlights the item below the pointer, and previews the edit of a node's Fix button.
#pragma once
#include <QObject>
#include <optional>

#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_item.hpp"

namespace nw::ui {

class Hover : public QObject {
 public:
  explicit Hover(GraphScene& scene);
  /// `reach`: how near a connection must be, in scene units.
  void move(QPointF at, qreal reach);
  void leave() { move(QPointF(1e9, 1e9), 0); }
  void endPreview();

 private:
  void previewFix(const NodeItem* item, NodeItem::Part part);
  void highlight(const ConnectionItem* wire);
  GraphScene& scene_;
  NodeId node_ = 0, previewed_ = 0;
  std::optional<Connection> wire_;
};

}  // namespace nw::ui
