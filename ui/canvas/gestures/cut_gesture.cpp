// SPDX-License-Identifier: GPL-3.0-or-later
// Gestures on several connections at once: cutting by a stroke, moving all connections of an output to another one.
#include <QLineF>
#include <QPolygonF>

#include "engine/design/rewire.hpp"
#include "ui/canvas/edits/fit.hpp"
#include "ui/canvas/gestures/gestures.hpp"
#include "ui/canvas/scene/canvas_text.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/hit_test.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

class CutGesture final : public Gesture {
 public:
  CutGesture(GraphView& view, QPointF start) : view_(view), scene_(view.graph()), stroke_({start}) {}
  ~CutGesture() override { mark(false); }

  void move(QPointF at, Qt::KeyboardModifiers) override {
    const QLineF piece(stroke_.last(), at);
    if (piece.isNull()) return;
    for (QGraphicsItem* item : scene_.items(QRectF(piece.p1(), piece.p2()).normalized().adjusted(-1, -1, 1, 1),
                                            Qt::IntersectsItemBoundingRect))
      if (item->type() == ConnectionItem::Type)
        if (auto* wire = static_cast<ConnectionItem*>(item); wire->crosses(piece)) {
          wires_.insert(wire->connection());
          wire->setCut(true);
        }
    stroke_ << at;
    view_.viewport()->update();
  }

  void release(QPointF at, Qt::KeyboardModifiers keys) override {
    move(at, keys);
    Edit edit;
    for (const Connection& c : wires_) edit.push_back(PutConnection{scene_.scope(), c, false});
    mark(false);
    scene_.session().push(edit, canvasText(QT_TRANSLATE_NOOP("canvas", "Cut connections")));
  }

  void paint(QPainter& p) override {
    QPen pen(theme().error, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    pen.setCosmetic(true);
    p.setPen(pen);
    p.setBrush(Qt::NoBrush);
    p.drawPolyline(stroke_);
  }

 private:
  void mark(bool on) {
    for (const Connection& c : wires_)
      if (ConnectionItem* wire = scene_.elements().connection(c)) wire->setCut(on);
  }

  GraphView& view_;
  GraphScene& scene_;
  QPolygonF stroke_;
  std::set<Connection> wires_;
};

class MoveEndsGesture final : public Gesture {
 public:
  MoveEndsGesture(GraphView& view, PortRef from, QPointF start)
      : view_(view), scene_(view.graph()), from_(from), at_(start) {
    for (const Connection& c : scene_.graph().connections)
      if (c.from == from.node && c.from_port == from.port) wires_.push_back(c);
    std::set<NodeId> fed;  // by the moved connections: an output of these would close a cycle
    for (const Connection& c : wires_) fed.merge(downstream(scene_.graph(), c.to));
    for (const auto& [id, item] : scene_.elements().nodes())
      if (id != from.node && item->look().outputs > 0)
        item->setHints(true,
                       QVector<PortHint>(item->look().outputs, fed.contains(id) ? PortHint::wrong : PortHint::fits));
    fade(0.25);
  }
  ~MoveEndsGesture() override {
    fade(1);
    for (const auto& [id, item] : scene_.elements().nodes()) item->clearHints();
  }

  void move(QPointF at, Qt::KeyboardModifiers) override {
    target_ = targetAt(at);
    at_ = target_ ? scene_.elements().node(target_->node)->portPosition(true, target_->port) : at;
    view_.viewport()->update();
  }

  void release(QPointF at, Qt::KeyboardModifiers) override {
    target_ = targetAt(at);
    if (!target_) return;
    const Result<Edit> edit =
        move_outputs(scene_.doc(), scene_.scope(), from_.node, from_.port, target_->node, target_->port);
    if (!edit) return view_.callout().show(translated(edit.error().what), at);
    fade(1);
    scene_.session().push(*edit, canvasText(QT_TRANSLATE_NOOP("canvas", "Move connections")));
  }

  void paint(QPainter& p) override {
    p.setPen(QPen(theme().ring, card::imageConnection));
    p.setBrush(Qt::NoBrush);
    const ConnectionEnd start = target_ ? scene_.elements().node(target_->node)->end(true, target_->port)
                                        : ConnectionEnd{at_, Side::bottom, {}};
    for (const Connection& c : wires_)
      if (const NodeItem* to = scene_.elements().node(c.to))
        p.drawPath(roundedPath(routeConnection(start, to->end(false, c.to_port), {}), card::connectionRadius));
  }

 private:
  /// The output under the pointer, or the first output of the node under it; the gesture's own output is ignored.
  std::optional<PortRef> targetAt(QPointF at) const {
    if (const auto port = portAt(scene_, at, card::portReach * 1.4); port && port->output && port->node != from_.node)
      return port;
    const NodeItem* item = nodeAt(scene_, at);
    if (!item || item->id() == from_.node || item->look().outputs == 0) return {};
    return PortRef{item->id(), true, 0};
  }

  void fade(qreal opacity) {
    for (const Connection& c : wires_)
      if (ConnectionItem* wire = scene_.elements().connection(c)) wire->setOpacity(opacity);
  }

  GraphView& view_;
  GraphScene& scene_;
  PortRef from_;
  QPointF at_;
  std::vector<Connection> wires_;
  std::optional<PortRef> target_;
};

}  // namespace

std::unique_ptr<Gesture> cutGesture(GraphView& view, QPointF start) {
  return std::make_unique<CutGesture>(view, start);
}
std::unique_ptr<Gesture> moveEndsGesture(GraphView& view, const PortRef& output, QPointF start) {
  return std::make_unique<MoveEndsGesture>(view, output, start);
}

}  // namespace nw::ui
