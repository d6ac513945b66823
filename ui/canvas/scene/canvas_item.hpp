// SPDX-License-Identifier: GPL-3.0-or-later
// What lies on the canvas: cards, connections, frames and notes. Whatever changes how or where one of them is seen
// tells the scene which place no longer looks as it did, so that pictures of the canvas are painted again just there.
#pragma once
#include <QGraphicsItem>

namespace nw::ui {

class GraphScene;

class CanvasItem : public QGraphicsItem {
 public:
  explicit CanvasItem(GraphScene& scene) : scene_(scene) { setFlag(ItemSendsGeometryChanges); }
  void update();                                                        // it looks different now
  QRectF seenRect() const { return boundingRect().translated(pos()); }  // scene coordinates

 protected:
  void prepareGeometryChange();  // before its bounds change; update() follows
  QVariant itemChange(GraphicsItemChange change, const QVariant& value) override;
  GraphScene& scene_;
};

}  // namespace nw::ui
