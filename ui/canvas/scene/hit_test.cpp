// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/hit_test.hpp"

#include <QLineF>
#include <algorithm>

#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"

namespace nw::ui {
namespace {

QList<QGraphicsItem*> itemsAround(const GraphScene& scene, QPointF at, qreal reach) {
  return scene.items(QRectF(at, QSizeF()).adjusted(-reach, -reach, reach, reach), Qt::IntersectsItemBoundingRect);
}

}  // namespace

NodeItem* nodeAt(const GraphScene& scene, QPointF at) {
  for (QGraphicsItem* item : scene.items(at, Qt::IntersectsItemBoundingRect))
    if (item->type() == NodeItem::Type && static_cast<NodeItem*>(item)->partAt(at) != NodeItem::Part::none)
      return static_cast<NodeItem*>(item);
  return nullptr;
}

ConnectionItem* connectionAt(const GraphScene& scene, QPointF at, qreal reach, NodeId without) {
  ConnectionItem* best = nullptr;
  qreal nearest = reach;
  for (QGraphicsItem* item : itemsAround(scene, at, reach)) {
    if (item->type() != ConnectionItem::Type) continue;
    auto* connection = static_cast<ConnectionItem*>(item);
    if (connection->distance(at) > nearest || connection->touches(without)) continue;
    nearest = connection->distance(at);
    best = connection;
  }
  return best;
}

std::optional<PortRef> portAt(const GraphScene& scene, QPointF at, qreal reach) {
  std::optional<PortRef> best;
  qreal nearest = reach;
  const auto consider = [&](const NodeItem& item, bool output, int count) {
    for (int i = 0; i < count; ++i) {
      const qreal d = QLineF(item.portPosition(output, i), at).length();
      if (d > nearest || (item.look().dot && d > card::dotReach)) continue;  // a drag of a dot's centre moves the dot
      nearest = d;
      best = PortRef{item.id(), output, i};
    }
  };
  for (QGraphicsItem* item : itemsAround(scene, at, reach))
    if (item->type() == NodeItem::Type) {
      const auto& node = *static_cast<NodeItem*>(item);
      consider(node, false, node.look().inputs);
      consider(node, true, node.look().outputs);
    }
  return best;
}

}  // namespace nw::ui
