// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QLineF>
#include <algorithm>
#include <cmath>

#include "engine/design/rewire.hpp"
#include "ui/canvas/edits/fit.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/gestures/gestures.hpp"
#include "ui/canvas/scene/canvas_text.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/hit_test.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

/// Detects shaking: the pointer moves to and fro sideways three times within a second.
class Shake {
 public:
  bool feel(qreal x) {
    if (!clock_.isValid()) clock_.start();
    if (turns_ == 0) since_ = clock_.elapsed();
    const qreal leg = x - turn_;
    if (way_ * leg > 0 || way_ == 0) {
      if (std::abs(leg) >= reach) way_ = leg > 0 ? 1 : -1;
      farthest_ = way_ > 0 ? std::max(farthest_, x) : std::min(farthest_, x);
    }
    if (way_ == 0 || (farthest_ - x) * way_ < reach) return false;
    if (clock_.elapsed() - since_ > 1000) turns_ = 0;
    turn_ = farthest_;
    farthest_ = x;
    way_ = -way_;
    return ++turns_ >= 3;
  }

 private:
  static constexpr qreal reach = 24;
  QElapsedTimer clock_;
  qint64 since_ = 0;
  qreal turn_ = 0, farthest_ = 0;
  int way_ = 0, turns_ = 0;
};

class MoveGesture final : public Gesture {
 public:
  MoveGesture(GraphView& view, QPointF start, bool detach)
      : view_(view), scene_(view.graph()), start_(start), detach_(detach) {
    for (const NodeId id : scene_.selection().nodes()) nodes_.insert(id);
    for (const ItemId id : scene_.selection().frames()) {
      frames_.insert(id);
      for (const NodeId inside : scene_.elements().frame(id)->content()) nodes_.insert(inside);
      for (const auto& [note, item] : scene_.elements().notes())
        if (scene_.elements().frame(id)->outline().contains(item->outline().center())) notes_.insert(note);
    }
    for (const ItemId id : scene_.selection().notes()) notes_.insert(id);
    for (const NodeId id : nodes_) places_[id] = scene_.elements().node(id)->pos();
  }

  void move(QPointF at, Qt::KeyboardModifiers keys) override {
    forgetRemoved();
    QPointF by = at - start_;
    if (!moving_ && QLineF(start_, at).length() * view_.camera().zoom() < dragDistance) return;
    moving_ = true;
    detach_ = shake_.feel(by.x() * view_.camera().zoom()) || detach_;
    if (detach_) fadeConnections(true);
    if (keys & Qt::ShiftModifier) by = snapped(by);
    by_ = by;
    show(by);
    seekConnection();
  }

  void release(QPointF, Qt::KeyboardModifiers) override {
    if (!moving_) return;
    forgetRemoved();
    if (by_.isNull()) return cancel();
    const std::optional<Connection> target = nodes_.empty() ? std::nullopt : target_;
    clearTarget();
    lift(false);
    fadeConnections(false);
    EditChain chain(scene_.doc());
    if (detach_) chain.add(detach_nodes(chain.doc(), scene_.scope(), {nodes_.begin(), nodes_.end()}));
    const bool freed = !chain.edit().empty();
    if (target)
      insertOn(chain, *target);
    else
      shift(chain);
    const QString text = target  ? canvasText(QT_TRANSLATE_NOOP("canvas", "Insert layer"))
                         : freed ? canvasText(QT_TRANSLATE_NOOP("canvas", "Detach"))
                                 : canvasText(QT_TRANSLATE_NOOP("canvas", "Move"));
    if (!chain.ok() || !scene_.session().push(chain.edit(), text)) show({});
  }

  void cancel() override {
    forgetRemoved();
    clearTarget();
    fadeConnections(false);
    lift(false);
    show({});
  }

 private:
  /// Leaves out what another edit has removed meanwhile: an undo with the keyboard, for example.
  void forgetRemoved() {
    const Graph& graph = scene_.graph();
    std::erase_if(nodes_, [&](NodeId id) { return !graph.nodes.contains(id); });
    std::erase_if(frames_, [&](ItemId id) { return !graph.frames.contains(id); });
    std::erase_if(notes_, [&](ItemId id) { return !graph.notes.contains(id); });
  }

  /// The connections of a detached node are pale until the mouse button is released.
  void fadeConnections(bool on) {
    for (const Connection& c : scene_.graph().connections)
      if (nodes_.contains(c.from) != nodes_.contains(c.to)) scene_.elements().connection(c)->setOpacity(on ? 0.25 : 1);
  }

  /// The first moved item snaps to the 10 px grid; the others keep their distance to it.
  QPointF snapped(QPointF by) const {
    QPointF base;
    if (!nodes_.empty())
      base = place(*nodes_.begin());
    else if (!frames_.empty())
      base = rectOf(scene_.graph().frames.at(*frames_.begin()).rect).topLeft();
    const auto round = [](qreal v) { return std::round(v / card::snap) * card::snap; };
    return QPointF(round(base.x() + by.x()), round(base.y() + by.y())) - base;
  }

  QPointF place(NodeId id) const { return places_.at(id); }
  static QRectF rectOf(const Rect& r) { return {r.x, r.y, r.width, r.height}; }

  void show(QPointF by) {
    if (!by.isNull()) lift(true);
    for (const NodeId id : nodes_)
      if (NodeItem* item = scene_.elements().node(id)) item->setPos(place(id) + by);
    for (const ItemId id : frames_)
      scene_.elements().frame(id)->setOutline(rectOf(scene_.graph().frames.at(id).rect).translated(by));
    for (const ItemId id : notes_)
      scene_.elements().note(id)->setOutline(rectOf(scene_.graph().notes.at(id).rect).translated(by));
    scene_.elements().reroute(nodes_);
  }

  void lift(bool on) {
    if (lifted_ == on) return;
    lifted_ = on;
    for (const NodeId id : nodes_)
      if (NodeItem* item = scene_.elements().node(id)) item->setEditPreview(on);
  }

  bool loose(NodeId id) const {
    const auto& wires = scene_.graph().connections;
    return std::none_of(wires.begin(), wires.end(), [id](const Connection& c) { return c.from == id || c.to == id; });
  }

  void seekConnection() {
    std::optional<Connection> found;
    if (nodes_.size() == 1 && frames_.empty() && (detach_ || loose(*nodes_.begin()))) {
      const NodeItem* item = scene_.elements().node(*nodes_.begin());
      if (item->look().inputs > 0 && item->look().outputs > 0)
        if (ConnectionItem* wire = connectionAt(scene_, item->pos(), card::width / 4, item->id()))
          found = wire->connection();
    }
    if (found == target_) return;
    clearTarget();
    target_ = found;
    if (target_) scene_.elements().connection(*target_)->setTarget(true);
  }

  void clearTarget() {
    if (target_ && scene_.elements().connection(*target_)) scene_.elements().connection(*target_)->setTarget(false);
    target_.reset();
  }

  void insertOn(EditChain& chain, const Connection& wire) {
    const NodeId id = *nodes_.begin();
    placeOn(chain, scene_.scope(), wire, scene_.graph().nodes.at(id), place(id) + by_, id);
  }

  void shift(EditChain& chain) {
    std::map<NodeId, Point> places;
    for (const NodeId id : nodes_) places[id] = {place(id).x() + by_.x(), place(id).y() + by_.y()};
    chain.add(move_nodes(chain.doc(), scene_.scope(), places));
    Edit boxes;
    for (const ItemId id : frames_) {
      Frame frame = scene_.graph().frames.at(id);
      frame.rect.x += by_.x();
      frame.rect.y += by_.y();
      boxes.push_back(PutFrame{scene_.scope(), id, frame});
    }
    for (const ItemId id : notes_) {
      Note note = scene_.graph().notes.at(id);
      note.rect.x += by_.x();
      note.rect.y += by_.y();
      boxes.push_back(PutNote{scene_.scope(), id, note});
    }
    chain.add(boxes);
  }

  GraphView& view_;
  GraphScene& scene_;
  QPointF start_, by_;
  std::set<NodeId> nodes_;
  std::map<NodeId, QPointF> places_;  // the nodes' positions when the gesture began
  std::set<ItemId> frames_, notes_;
  bool moving_ = false, lifted_ = false, detach_;
  Shake shake_;
  std::optional<Connection> target_;
};

}  // namespace

std::unique_ptr<Gesture> moveGesture(GraphView& view, QPointF start, bool detach) {
  return std::make_unique<MoveGesture>(view, start, detach);
}

}  // namespace nw::ui
