// SPDX-License-Identifier: GPL-3.0-or-later
// What GraphScene knows: facts, problems, what lies where.
#include <algorithm>

#include "ui/canvas/card.hpp"
#include "ui/canvas/connection_item.hpp"
#include "ui/canvas/frame_item.hpp"
#include "ui/canvas/graph_scene.hpp"
#include "ui/canvas/node_item.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

const NodeFacts* GraphScene::facts(NodeId id) const {
  const auto& byScope = session_.analysis().facts;
  const auto here = byScope.find(scope_);
  if (here == byScope.end()) return nullptr;
  const auto found = here->second.find(id);
  return found == here->second.end() ? nullptr : &found->second;
}

const std::vector<const Problem*>& GraphScene::problems(NodeId id) const {
  static const std::vector<const Problem*> none;
  const auto found = problems_.find(id);
  return found == problems_.end() ? none : found->second;
}

const NodeEnds& GraphScene::ends(NodeId id) const {
  static const NodeEnds none;
  const auto found = ends_.find(id);
  return found == ends_.end() ? none : found->second;
}

const std::vector<Connection>& GraphScene::inputsOf(NodeId id) const {
  static const std::vector<Connection> none;
  const auto found = inputs_.find(id);
  return found == inputs_.end() ? none : found->second;
}

void GraphScene::indexConnections() {
  ends_.clear();
  inputs_.clear();
  connected_.clear();
  for (const Connection& c : graph().connections) {
    ends_[c.from].followed = true;
    inputs_[c.to].push_back(c);
    connected_.insert({c.from, true, c.from_port});
    connected_.insert({c.to, false, c.to_port});
  }
  for (auto& [id, wires] : inputs_) {
    std::sort(wires.begin(), wires.end(),
              [](const Connection& a, const Connection& b) { return a.to_port < b.to_port; });
    for (const Connection& c : wires) ends_[id].inputs.push_back(c.to_port);
  }
}

void GraphScene::indexProblems() {
  problems_.clear();
  broken_.clear();
  for (const Problem& p : session_.analysis().problems) {
    if (p.scope != scope_ || p.node == 0) continue;
    problems_[p.node].push_back(&p);
    if (p.severity == Severity::error && p.port >= 0) broken_.insert({p.node, false, p.port});
  }
  for (auto& [id, list] : problems_)
    std::stable_sort(list.begin(), list.end(),
                     [](const Problem* a, const Problem* b) { return a->severity < b->severity; });
  if (broken_.empty()) return;
  for (const Connection& c : graph().connections)
    if (broken_.contains({c.to, false, c.to_port})) broken_.insert({c.from, true, c.from_port});
}

bool GraphScene::isBroken(const Connection& c) const { return broken_.contains({c.to, false, c.to_port}); }

Side GraphScene::sideFor(NodeId id, int port) const {
  const Graph& g = graph();
  const double x = g.nodes.at(id).position.x;
  for (const Connection& c : inputsOf(id))
    if (c.to_port == port) {
      const auto from = g.nodes.find(c.from);
      return from != g.nodes.end() && from->second.position.x < x - 1 ? Side::left : Side::right;
    }
  return Side::right;
}

bool GraphScene::showsNothing() const { return nodes_.empty() && frames_.empty() && notes_.empty(); }

void GraphScene::repaintAll() {
  Q_EMIT placeChanged({});
  update();
}

void GraphScene::setShowShapes(bool on) {
  showShapes_ = on;
  repaintAll();
}

void GraphScene::setShowCounts(bool on) {
  showCounts_ = on;
  repaintAll();
}

void GraphScene::setSample(const QImage& image) {
  sample_ = image;
  repaintAll();
}

const QImage* GraphScene::output(NodeId id) const {
  const auto found = outputs_.find(id);
  return found == outputs_.end() ? nullptr : &found->second;
}

void GraphScene::setOutputs(std::map<NodeId, QImage> pictures) {
  if (pictures.empty() && outputs_.empty()) return;
  outputs_ = std::move(pictures);
  repaintAll();
}

const NodeHeat* GraphScene::heat(NodeId id) const {
  const auto found = heat_.find(id);
  return found == heat_.end() ? nullptr : &found->second;
}

void GraphScene::setHeat(std::map<NodeId, NodeHeat> heat) {
  if (heat.empty() && heat_.empty()) return;
  heat_ = std::move(heat);
  repaintAll();
}

void GraphScene::preview(const Edit& edit) {
  ghost_ = ghostOf(*this, edit);
  repaintAll();
}

void GraphScene::endPreview() {
  if (!ghost_) return;
  ghost_.reset();
  repaintAll();
}

NodeItem* GraphScene::node(NodeId id) const {
  const auto found = nodes_.find(id);
  return found == nodes_.end() ? nullptr : found->second;
}
FrameItem* GraphScene::frame(ItemId id) const {
  const auto found = frames_.find(id);
  return found == frames_.end() ? nullptr : found->second;
}
NoteItem* GraphScene::note(ItemId id) const {
  const auto found = notes_.find(id);
  return found == notes_.end() ? nullptr : found->second;
}
ConnectionItem* GraphScene::connection(const Connection& c) const {
  const auto found = connections_.find(c);
  return found == connections_.end() ? nullptr : found->second;
}

NodeItem* GraphScene::nodeAt(QPointF scene) const {
  for (QGraphicsItem* item : items(scene, Qt::IntersectsItemBoundingRect))
    if (item->type() == NodeItem::Type && static_cast<NodeItem*>(item)->partAt(scene) != NodeItem::Part::none)
      return static_cast<NodeItem*>(item);
  return nullptr;
}

ConnectionItem* GraphScene::connectionAt(QPointF scene, qreal reach, NodeId without) const {
  ConnectionItem* best = nullptr;
  qreal nearest = reach;
  for (QGraphicsItem* item :
       items(QRectF(scene, QSizeF()).adjusted(-reach, -reach, reach, reach), Qt::IntersectsItemBoundingRect)) {
    if (item->type() != ConnectionItem::Type) continue;
    auto* wire = static_cast<ConnectionItem*>(item);
    if (wire->distance(scene) > nearest || wire->touches(without)) continue;
    nearest = wire->distance(scene);
    best = wire;
  }
  return best;
}

std::optional<PortRef> GraphScene::portAt(QPointF scene, qreal reach) const {
  std::optional<PortRef> best;
  qreal nearest = reach;
  const auto look = [&](const NodeItem& item, bool output, int count) {
    for (int i = 0; i < count; ++i) {
      const qreal d = QLineF(item.portPosition(output, i), scene).length();
      if (d > nearest || (item.look().dot && d > card::dotReach)) continue;  // the middle of a dot moves it
      nearest = d;
      best = PortRef{item.id(), output, i};
    }
  };
  for (QGraphicsItem* item :
       items(QRectF(scene, QSizeF()).adjusted(-reach, -reach, reach, reach), Qt::IntersectsItemBoundingRect))
    if (item->type() == NodeItem::Type) {
      const auto& card = *static_cast<NodeItem*>(item);
      look(card, false, card.look().inputs);
      look(card, true, card.look().outputs);
    }
  return best;
}

QRectF GraphScene::contentRect() const {
  QRectF all;
  for (const auto& [id, item] : nodes_) all = all.united(item->outline());
  for (const auto& [c, item] : connections_) all = all.united(item->boundingRect());
  for (const auto& [id, item] : frames_) all = all.united(item->outline());
  for (const auto& [id, item] : notes_) all = all.united(item->outline());
  return all;
}

void GraphScene::paintLabels(QPainter& painter, const QRectF& exposed, qreal zoom) const {
  if (!showShapes_ || zoom < card::barsBelow) return;
  for (const QGraphicsItem* item : items(exposed, Qt::IntersectsItemBoundingRect, Qt::AscendingOrder))
    if (item->type() == ConnectionItem::Type) static_cast<const ConnectionItem*>(item)->paintLabel(painter);
}

}  // namespace nw::ui
