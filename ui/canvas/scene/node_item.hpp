// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of one node: card, ports, badge, error strip with its repair. It paints and answers where things are;
// what a click means is decided by GraphView's gestures.
#pragma once
#include <QStaticText>
#include <QVector>
#include <optional>

#include "ui/canvas/scene/canvas_item.hpp"
#include "ui/canvas/scene/connection_route.hpp"
#include "ui/canvas/scene/node_text.hpp"

namespace nw::ui {

enum class PortHint : quint8 { none, fits, wrong };  // while a wire is being drawn

class NodeItem final : public CanvasItem {
 public:
  enum { Type = UserType + 1 };
  enum class Part : quint8 { none, body, fix, other };
  NodeItem(GraphScene& scene, NodeId id);

  NodeId id() const { return id_; }
  const NodeText& look() const { return look_; }
  /// Reads document and analysis again; true when its outline or ports moved, so that wires must follow.
  bool refresh();
  /// The same where the analysis may say something new about this node; nearly free where it says the same as before.
  bool refreshFacts();
  int type() const override { return Type; }
  QRectF boundingRect() const override;
  void paint(QPainter*, const QStyleOptionGraphicsItem*, QWidget*) override;

  /// How much further down than in the document the card is shown; true when that changed.
  bool setSlide(qreal down);
  qreal slide() const { return slide_; }

  QRectF card() const;     // item coordinates, without the strip
  QRectF outline() const;  // scene coordinates, with the strip
  // scene coordinates, what connections go around: with the strip where it covers no neighbour
  QRectF room() const;
  ConnectionEnd end(bool output, int port) const;  // scene coordinates
  QPointF portPosition(bool output, int port) const { return end(output, port).at; }
  Part partAt(QPointF scene) const;
  QRectF partRect(Part) const;  // scene coordinates; empty when the strip has no such button
  QString problemText() const { return look_.problem; }
  /// What a screen reader says: "Conv2d conv2, 3 of 9, output 16×10×10, error: …".
  QString spoken(int position, int count) const;

  void setHovered(bool on, Part part = Part::none);
  void setHints(bool output, const QVector<PortHint>& hints);
  void clearHints();
  const QVector<PortHint>& hints(bool output) const { return output ? outputHints_ : inputHints_; }
  bool isHovered() const { return hovered_; }
  bool isHinted() const { return !inputHints_.isEmpty() || !outputHints_.isEmpty(); }
  bool isEditPreview() const { return editPreview_; }
  void setEditPreview(bool on);  // lifted while it is moved

 protected:
  QVariant itemChange(GraphicsItemChange change, const QVariant& value) override;

 private:
  void raise();  // a strip with repairs lies above its neighbours, what is moved above all
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
  std::optional<NodeInfo> facts_;  // those that the look was made from
  bool hadProblems_ = false;
  QVector<Side> sides_;  // of the inputs
  qreal slide_ = 0;
  bool hovered_ = false, editPreview_ = false;
  Part hot_ = Part::none;
  QVector<PortHint> inputHints_, outputHints_;
};

}  // namespace nw::ui
