// SPDX-License-Identifier: GPL-3.0-or-later
// The base class of nodes, connections, frames and notes. Each change of an item's appearance or position reports the
// affected area to the scene, so that cached renderings of the canvas are repainted only there.
#pragma once
#include <QGraphicsItem>

namespace nw::ui {

class GraphScene;

class CanvasItem : public QGraphicsItem {
 public:
  explicit CanvasItem(GraphScene& scene) : scene_(scene) { setFlag(ItemSendsGeometryChanges); }
  void update();                                                        // call after a change of appearance
  QRectF seenRect() const { return boundingRect().translated(pos()); }  // scene coordinates

 protected:
  void prepareGeometryChange();  // call before the bounds change, then update()
  QVariant itemChange(GraphicsItemChange change, const QVariant& value) override;
  GraphScene& scene_;
};

}  // namespace nw::ui
