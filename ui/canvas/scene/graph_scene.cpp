// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/graph_scene.hpp"

#include <algorithm>

#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

/// Whether the edit replaces the definition that is shown.
bool replacesScope(const Edit& edit, const std::string& scope) {
  return !scope.empty() && std::any_of(edit.begin(), edit.end(), [&](const Put& change) {
    const auto* block = std::get_if<PutBlock>(&change);
    return block && block->name == scope;
  });
}

}  // namespace

GraphScene::GraphScene(Session& session, QObject* parent)
    : QGraphicsScene(parent), session_(session), router_(*this), selection_(*this) {
  connect(&session_, &Session::documentChanged, this, &GraphScene::follow);
  connect(&session_, &Session::documentReplaced, this, [this] {
    scope_.clear();
    rebuild();
    Q_EMIT scopeChanged();
  });
  connect(&session_, &Session::analysisChanged, this, &GraphScene::applyAnalysis);
  connect(&display_, &DisplayOptions::changed, this, &GraphScene::repaintAll);
  rebuild();
}

// Items die with the scene; their goodbyes to the selection must not reach members that are gone.
GraphScene::~GraphScene() { disconnect(this, nullptr, nullptr, nullptr); }  // items leave the selection as they go

const GraphDoc& GraphScene::doc() const { return session_.doc(); }
const Graph& GraphScene::graph() const { return session_.doc().graph(scope_); }

void GraphScene::setScope(const std::string& scope) {
  if (scope == scope_ || !doc().has_scope(scope)) return;
  scope_ = scope;
  rebuild();
  Q_EMIT scopeChanged();
}

void GraphScene::rebuild() {
  selection_.pause();
  removeItems();
  addItems();
  announceContent();
}

void GraphScene::removeItems() {
  editPreview_.reset();
  nodes_.clear();
  connections_.clear();
  frames_.clear();
  notes_.clear();
  router_.clear();
  clear();
  Q_EMIT placeChanged({});
}

void GraphScene::addItems() {
  index_.setConnections(graph());
  index_.setProblems(session_.analysis().problems, scope_, graph());
  for (const auto& [id, frame] : graph().frames) addItem(frames_[id] = new FrameItem(*this, id));
  for (const auto& [id, note] : graph().notes) addItem(notes_[id] = new NoteItem(*this, id));
  for (const auto& [id, node] : graph().nodes) {
    auto* item = new NodeItem(*this, id);
    nodes_[id] = item;
    addItem(item);
  }
  for (const Connection& c : graph().connections) addConnection(c);
  std::set<NodeId> all;
  for (const auto& [id, item] : nodes_) all.insert(id);
  refreshNodes(all);
  router_.makeRoom();
  reroute(all);
}

/// Listeners of contentChanged() already read the new selection.
void GraphScene::announceContent() {
  const bool other = selection_.resume();
  Q_EMIT contentChanged();
  if (other) Q_EMIT selectionUpdated();
}

void GraphScene::follow(const Edit& edit) {
  endPreview();                    // it was drawn over the document as it was
  if (!doc().has_scope(scope_)) {  // the edit removed the definition that is shown
    scope_.clear();
    rebuild();
    Q_EMIT scopeChanged();
    return;
  }
  if (replacesScope(edit, scope_)) return rebuild();
  applyEdit(edit);
  announceContent();
}

void GraphScene::applyEdit(const Edit& edit) {
  selection_.pause();
  index_.setConnections(graph());
  std::set<NodeId> touched;
  for (const Put& change : edit) {
    if (std::holds_alternative<PutBlock>(change))
      for (const auto& [id, item] : nodes_) touched.insert(id);
    if (const auto* p = std::get_if<PutNode>(&change); p && p->scope == scope_) put(*p, &touched);
    if (const auto* p = std::get_if<PutConnection>(&change); p && p->scope == scope_) put(*p, &touched);
    if (const auto* p = std::get_if<PutFrame>(&change); p && p->scope == scope_) put(*p);
    if (const auto* p = std::get_if<PutNote>(&change); p && p->scope == scope_) put(*p);
  }
  index_.setProblems(session_.analysis().problems, scope_, graph());
  refreshNodes(touched);
  touched.merge(router_.makeRoom());
  reroute(touched);
  for (const auto& [id, item] : frames_) item->update();  // they say how many layers lie in them
}

void GraphScene::put(const PutNode& change, std::set<NodeId>* touched) {
  const bool wanted = graph().nodes.contains(change.id);
  const auto found = nodes_.find(change.id);
  if (wanted) touched->insert(change.id);
  if (wanted && found == nodes_.end()) addItem(nodes_[change.id] = new NodeItem(*this, change.id));
  if (wanted || found == nodes_.end()) return;
  NodeItem* item = found->second;
  item->update();  // the place it leaves
  nodes_.erase(found);
  router_.removeNode(change.id);
  removeItem(item);
  delete item;
}

void GraphScene::put(const PutConnection& change, std::set<NodeId>* touched) {
  const auto& wires = graph().connections;
  const bool wanted = std::binary_search(wires.begin(), wires.end(), change.connection);
  for (const NodeId id : {change.connection.from, change.connection.to})
    if (graph().nodes.contains(id)) touched->insert(id);
  if (wanted && !connections_.contains(change.connection)) addConnection(change.connection);
  if (!wanted && connections_.contains(change.connection)) removeConnection(change.connection);
}

void GraphScene::put(const PutFrame& change) {
  const bool wanted = graph().frames.contains(change.id);
  if (wanted && frames_.contains(change.id)) return frames_[change.id]->refresh();
  if (wanted) return addItem(frames_[change.id] = new FrameItem(*this, change.id));
  if (!frames_.contains(change.id)) return;
  frames_[change.id]->update();
  delete frames_[change.id];
  frames_.erase(change.id);
}

void GraphScene::put(const PutNote& change) {
  const bool wanted = graph().notes.contains(change.id);
  if (wanted && notes_.contains(change.id)) return notes_[change.id]->refresh();
  if (wanted) return addItem(notes_[change.id] = new NoteItem(*this, change.id));
  if (!notes_.contains(change.id)) return;
  notes_[change.id]->update();
  delete notes_[change.id];
  notes_.erase(change.id);
}

void GraphScene::addConnection(const Connection& c) {
  ConnectionItem* item = connections_[c] = new ConnectionItem(*this, c);
  router_.add(item);
  addItem(item);
}

void GraphScene::removeConnection(const Connection& c) {
  ConnectionItem* item = connections_.at(c);
  item->update();
  router_.remove(item);
  connections_.erase(c);
  delete item;
}

void GraphScene::refreshNodes(const std::set<NodeId>& nodes) {
  for (const NodeId id : nodes)
    if (NodeItem* item = node(id)) {
      item->refresh();
      item->update();
    }
}

void GraphScene::applyAnalysis() {
  index_.setProblems(session_.analysis().problems, scope_, graph());
  std::set<NodeId> moved;
  for (const auto& [id, item] : nodes_)
    if (item->refreshFacts()) moved.insert(id);
  moved.merge(router_.makeRoom());
  for (const auto& [c, item] : connections_) item->refresh();
  reroute(moved);
  Q_EMIT lookChanged();
}

const NodeInfo* GraphScene::facts(NodeId id) const {
  const auto& byScope = session_.analysis().facts;
  const auto here = byScope.find(scope_);
  if (here == byScope.end()) return nullptr;
  const auto found = here->second.find(id);
  return found == here->second.end() ? nullptr : &found->second;
}

bool GraphScene::showsNothing() const { return nodes_.empty() && frames_.empty() && notes_.empty(); }

void GraphScene::repaintAll() {
  Q_EMIT placeChanged({});
  update();
}

void GraphScene::preview(const Edit& edit) {
  editPreview_ = editPreviewOf(*this, edit);
  repaintAll();
}

void GraphScene::endPreview() {
  if (!editPreview_) return;
  editPreview_.reset();
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

QRectF GraphScene::contentRect() const {
  QRectF all;
  for (const auto& [id, item] : nodes_) all = all.united(item->outline());
  for (const auto& [c, item] : connections_) all = all.united(item->boundingRect());
  for (const auto& [id, item] : frames_) all = all.united(item->outline());
  for (const auto& [id, item] : notes_) all = all.united(item->outline());
  return all;
}

void GraphScene::reroute(const std::set<NodeId>& nodes) { router_.reroute(nodes); }

const QVector<ConnectionItem*>& GraphScene::connectionsOf(NodeId node) const { return router_.connectionsOf(node); }

void GraphScene::paintLabels(QPainter& painter, const QRectF& exposed, qreal zoom) const {
  if (!display_.showShapes() || zoom < card::barsBelow) return;
  for (const QGraphicsItem* item : items(exposed, Qt::IntersectsItemBoundingRect, Qt::AscendingOrder))
    if (item->type() == ConnectionItem::Type) static_cast<const ConnectionItem*>(item)->paintLabel(painter);
}

}  // namespace nw::ui
