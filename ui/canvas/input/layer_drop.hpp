// SPDX-License-Identifier: GPL-3.0-or-later
// Layers dragged from the palette onto the canvas. A drop on a connection inserts the layer there.
#pragma once
#include <QObject>
#include <QPoint>
#include <optional>

#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/view/input_handler.hpp"

namespace nw::ui {

class GraphView;

class LayerDrop final : public QObject, public InputHandler {
 public:
  explicit LayerDrop(GraphView& view);
  /// Drag and drop of layerMime.
  bool handle(QEvent& event) override;
  /// The same without a QDrag, in viewport coordinates: the layer hovers, is dropped, or leaves.
  void hover(QPoint at);
  NodeId drop(const QString& id, QPoint at);  // palette id; 0: it was rejected
  void leave();

 private:
  GraphView& view_;
  std::optional<Connection> target_;  // highlighted: the layer would be inserted here
};

}  // namespace nw::ui
