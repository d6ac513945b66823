// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas widget: view, floating tools, minimap, breadcrumbs of the open block, and a hint while the network is
// empty.
#pragma once
#include <QStringList>
#include <QWidget>

#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/view/graph_view.hpp"

namespace nw::ui {

class Breadcrumbs;
class EmptyState;
class Heatmap;
class LayerDrop;
class MiniMap;
class NodeOutputs;
class ToolStrip;

class Canvas : public QWidget {
  Q_OBJECT
 public:
  explicit Canvas(Session& session, QWidget* parent = nullptr);
  ~Canvas() override;
  GraphScene& scene() { return *scene_; }
  GraphView& view() { return *view_; }
  NodeOutputs& outputs() { return *outputs_; }
  Heatmap& heat() { return *heat_; }
  LayerDrop& layerDrop() { return *layerDrop_; }
  /// Rectangles of the nodes, in viewport coordinates.
  std::vector<QRect> shownNodes() const;
  /// Opens the node's scope, selects it and brings it into view.
  void goTo(const std::string& scope, NodeId id);
  /// Shows the part around `centre` (scene) at `zoom` instead of all nodes, also when the canvas is first shown later.
  void showPart(qreal zoom, QPointF centre);

 protected:
  void resizeEvent(QResizeEvent*) override;
  void showEvent(QShowEvent*) override;

 private:
  void placeOverlays();
  std::optional<QRect> freePlaceOfLegend(const QRect& home) const;
  void placeHeatmapLegend();
  void fit();
  void selectOnlyNode();
  void followScope();
  void followContent();

  GraphScene* scene_;
  GraphView* view_;
  LayerDrop* layerDrop_;  // the view's
  NodeOutputs* outputs_;
  ToolStrip* tools_;
  Heatmap* heat_;
  MiniMap* map_;
  Breadcrumbs* crumbs_;
  EmptyState* hint_;
  QStringList path_;  // blocks that are open, outermost first
  bool fitted_ = false;
  std::optional<std::pair<qreal, QPointF>> part_;  // see showPart()
};

}  // namespace nw::ui
