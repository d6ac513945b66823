// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/canvas_item.hpp"

#include "ui/canvas/scene/graph_scene.hpp"

namespace nw::ui {

void CanvasItem::update() {
  Q_EMIT scene_.placeChanged(seenRect());
  QGraphicsItem::update();
}

void CanvasItem::prepareGeometryChange() {
  Q_EMIT scene_.placeChanged(seenRect());
  QGraphicsItem::prepareGeometryChange();
}

QVariant CanvasItem::itemChange(GraphicsItemChange change, const QVariant& value) {
  switch (change) {
    case ItemPositionChange:      // the old position
    case ItemPositionHasChanged:  // the new position
    case ItemSelectedHasChanged:
    case ItemOpacityHasChanged:
    case ItemZValueHasChanged:
      Q_EMIT scene_.placeChanged(seenRect());
      break;
    default:
      break;
  }
  return QGraphicsItem::itemChange(change, value);
}

}  // namespace nw::ui
