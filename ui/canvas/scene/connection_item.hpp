// SPDX-License-Identifier: GPL-3.0-or-later
// The item of one connection: routed, with rounded corners, a width by the tensor's rank, and the shape as a label.
#pragma once
#include <QPainterPath>
#include <QStaticText>

#include "engine/design/graph_doc.hpp"
#include "ui/canvas/scene/canvas_item.hpp"
#include "ui/canvas/scene/connection_route.hpp"

namespace nw::ui {

class ConnectionItem final : public CanvasItem {
 public:
  enum { Type = UserType + 2 };
  ConnectionItem(GraphScene& scene, const Connection& connection);
  const Connection& connection() const { return connection_; }
  int type() const override { return Type; }
  QRectF boundingRect() const override { return bounds_; }
  QPainterPath shape() const override;
  void paint(QPainter*, const QStyleOptionGraphicsItem*, QWidget*) override;
  void route(const QVector<QRectF>& obstacles);
  QRectF span() const;  // the area the route may use, for collecting obstacles
  void refresh();       // the label and whether it fits
  void light();         // highlights it while one of its nodes is selected
  /// Distance of a point to the line, scene units.
  qreal distance(QPointF scene) const;
  QPointF middle() const { return anchor_; }
  QString label() const { return label_.text(); }
  void paintLabel(QPainter&) const;  // called by the scene after all connections and nodes
  void setTarget(bool on);           // a node would be inserted here
  void setHovered(bool on);
  void setCut(bool on);  // the current cutting stroke would remove it
  bool crosses(const QLineF& stroke) const;
  QColor colour() const;
  bool isDashed() const { return broken_ || cut_; }
  const QVector<QPointF>& corners() const { return corners_; }
  bool touches(NodeId id) const { return connection_.from == id || connection_.to == id; }

 private:
  QRectF labelRect() const;
  void drawLabel(QPainter&, const QRectF& pill) const;
  void updateBounds();

  Connection connection_;
  QVector<QPointF> corners_;
  QPainterPath path_;
  QPointF anchor_;
  QStaticText label_;
  qreal labelWidth_ = 0;
  qreal width_ = 1.6;
  QRectF bounds_;
  bool broken_ = false, target_ = false, hovered_ = false, cut_ = false, lit_ = false;
};

}  // namespace nw::ui
