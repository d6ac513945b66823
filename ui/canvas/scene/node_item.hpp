// SPDX-License-Identifier: GPL-3.0-or-later
// The item of one node: box, ports, badge, error strip with its quick fix. It paints and locates its parts; gestures
// decide what a click does.
#pragma once
#include <QStaticText>
#include <QVector>
#include <optional>

#include "ui/canvas/scene/canvas_item.hpp"
#include "ui/canvas/scene/connection_route.hpp"
#include "ui/canvas/scene/node_text.hpp"

namespace nw::ui {

enum class PortHint : quint8 { none, fits, wrong };  // while a connection is being drawn

class NodeItem final : public CanvasItem {
 public:
  enum { Type = UserType + 1 };
  enum class Part : quint8 { none, body, fix, other };
  NodeItem(GraphScene& scene, NodeId id);

  NodeId id() const { return id_; }
  const NodeText& look() const { return look_; }
  /// Updates from document and analysis; true: outline or ports moved and connections must be rerouted.
  bool refresh();
  /// The same after a new analysis; nearly free if the analysis of this node is unchanged.
  bool refreshFacts();
  int type() const override { return Type; }
  QRectF boundingRect() const override;
  void paint(QPainter*, const QStyleOptionGraphicsItem*, QWidget*) override;

  /// Shows the node this much (scene units) below its position in the document; true: the offset changed.
  bool setSlide(qreal down);
  qreal slide() const { return slide_; }

  QRectF card() const;     // item coordinates, without the strip
  QRectF outline() const;  // scene coordinates, with the strip
  // scene coordinates; connections are routed around it: with the strip unless the strip covers a neighbour
  QRectF room() const;
  ConnectionEnd end(bool output, int port) const;  // scene coordinates
  QPointF portPosition(bool output, int port) const { return end(output, port).at; }
  Part partAt(QPointF scene) const;
  QRectF partRect(Part) const;  // scene coordinates; empty when the strip has no such button
  QString problemText() const { return look_.problem; }
  /// The text for a screen reader: "Conv2d conv2, 3 of 9, output 16×10×10, error: …".
  QString spoken(int position, int count) const;

  void setHovered(bool on, Part part = Part::none);
  void setHints(bool output, const QVector<PortHint>& hints);
  void clearHints();
  const QVector<PortHint>& hints(bool output) const { return output ? outputHints_ : inputHints_; }
  bool isHovered() const { return hovered_; }
  bool isHinted() const { return !inputHints_.isEmpty() || !outputHints_.isEmpty(); }
  bool isEditPreview() const { return editPreview_; }
  void setEditPreview(bool on);  // raised while the node is moved

 protected:
  QVariant itemChange(GraphicsItemChange change, const QVariant& value) override;

 private:
  void raise();  // a strip with quick fixes is above neighbours, a moved node above all
  friend class NodePainter;
  struct Line {
    QStaticText text;
    QFont font;
    qreal width = 0;
  };
  static Line line(const QString& text, const QFont& font, qreal room);
  void layOut() const;
  void ensureLaidOut() const;  // text is measured when it is first shown
  qreal stripHeight() const;
  QRectF strip() const;
  QRectF button(Part) const;  // item coordinates
  Side sideOf(bool output, int port) const;

  NodeId id_;
  NodeText look_;
  mutable Line title_, name_, settings_, count_, unit_, repeat_, problem_, fix_, other_;
  mutable bool laidOut_ = false;
  std::optional<NodeInfo> facts_;  // the values that look_ was computed from
  bool hadProblems_ = false;
  QVector<Side> sides_;  // of the inputs
  qreal slide_ = 0;
  bool hovered_ = false, editPreview_ = false;
  Part hot_ = Part::none;
  QVector<PortHint> inputHints_, outputHints_;
};

}  // namespace nw::ui
