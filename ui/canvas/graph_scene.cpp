// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/graph_scene.hpp"

#include <QScopedValueRollback>
#include <algorithm>

#include "ui/canvas/card.hpp"
#include "ui/canvas/card_grid.hpp"
#include "ui/canvas/connection_item.hpp"
#include "ui/canvas/frame_item.hpp"
#include "ui/canvas/node_item.hpp"
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

GraphScene::GraphScene(Session& session, QObject* parent) : QGraphicsScene(parent), session_(session) {
  connect(&session_, &Session::documentChanged, this, &GraphScene::follow);
  connect(&session_, &Session::documentReplaced, this, [this] {
    scope_.clear();
    rebuild();
    Q_EMIT scopeChanged();
  });
  connect(&session_, &Session::analysisChanged, this, &GraphScene::takeAnalysis);
  connect(this, &QGraphicsScene::selectionChanged, this, &GraphScene::updateSelection);
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
  {
    const QScopedValueRollback changing(changing_, true);
    removeItems();
    addItems();
  }
  announceContent();
}

void GraphScene::removeItems() {
  ghost_.reset();
  nodes_.clear();
  connections_.clear();
  frames_.clear();
  notes_.clear();
  connected_.clear();
  wires_.clear();
  cards_.clear();
  clear();
  Q_EMIT placeChanged({});
}

void GraphScene::addItems() {
  indexConnections();
  indexProblems();
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
  makeRoom();
  reroute(all);
}

/// Listeners of contentChanged() already read the new selection.
void GraphScene::announceContent() {
  const bool other = readSelection();
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
  const QScopedValueRollback changing(changing_, true);
  indexConnections();
  std::set<NodeId> touched;
  for (const Put& change : edit) {
    if (std::holds_alternative<PutBlock>(change))
      for (const auto& [id, item] : nodes_) touched.insert(id);
    if (const auto* p = std::get_if<PutNode>(&change); p && p->scope == scope_) put(*p, &touched);
    if (const auto* p = std::get_if<PutConnection>(&change); p && p->scope == scope_) put(*p, &touched);
    if (const auto* p = std::get_if<PutFrame>(&change); p && p->scope == scope_) put(*p);
    if (const auto* p = std::get_if<PutNote>(&change); p && p->scope == scope_) put(*p);
  }
  problems_.clear();  // they point into an analysis of the document as it was
  indexProblems();
  refreshNodes(touched);
  touched.merge(makeRoom());
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
  cards_.remove(change.id);
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
  for (const NodeId end : {c.from, c.to}) wires_[end].append(item);
  addItem(item);
}

void GraphScene::removeConnection(const Connection& c) {
  ConnectionItem* item = connections_.at(c);
  item->update();
  for (const NodeId end : {c.from, c.to}) wires_[end].removeAll(item);
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

void GraphScene::takeAnalysis() {
  indexProblems();
  std::set<NodeId> moved;
  for (const auto& [id, item] : nodes_)
    if (item->refreshFacts()) moved.insert(id);
  moved.merge(makeRoom());
  for (const auto& [c, item] : connections_) item->refresh();
  reroute(moved);
  Q_EMIT lookChanged();
}

/// Cards that an error strip above would cover slide down, and what stands below them in turn; frames grow with them.
std::set<NodeId> GraphScene::makeRoom() {
  std::vector<std::pair<double, NodeItem*>> rows;
  for (const auto& [id, item] : nodes_)
    if (!item->isGhost()) rows.emplace_back(graph().nodes.at(id).position.y, item);
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::map<double, double> lowest;  // by column: down to where strips and what they pushed reach
  std::set<NodeId> moved;
  for (const auto& [y, item] : rows) {
    const double x = item->pos().x(), top = y + item->card().top();
    double wanted = top;
    for (auto near = lowest.lower_bound(x - card::width); near != lowest.end() && near->first < x + card::width; ++near)
      wanted = std::max(wanted, near->second + card::stripGap);
    if (item->setSlide(wanted - top)) moved.insert(item->id());
    if (wanted > top || item->outline().height() > item->card().height())
      lowest[x] = std::max(lowest[x], item->outline().bottom());
  }
  if (!moved.empty())
    for (const auto& [id, item] : frames_) item->refresh();
  return moved;
}

/// A card with a strip leaves more or less room as its neighbours come and go.
void GraphScene::indexCards(const std::set<NodeId>& moved) {
  const auto index = [this](NodeId id) {
    const NodeItem* item = node(id);
    if (item && !item->isGhost())
      cards_.put(id, item->room());
    else
      cards_.remove(id);
  };
  for (const NodeId id : moved) index(id);
  for (const auto& [id, list] : problems_)
    if (!moved.contains(id)) index(id);
}

/// Those that begin or end at one of the nodes, or run where it stands.
std::unordered_set<ConnectionItem*> GraphScene::wiresAround(const std::set<NodeId>& nodes) const {
  std::unordered_set<ConnectionItem*> found;
  if (nodes.size() * 4 > nodes_.size()) {
    for (const auto& [c, item] : connections_) found.insert(item);
    return found;
  }
  for (const NodeId id : nodes) {
    if (const auto own = wires_.find(id); own != wires_.end()) found.insert(own->second.begin(), own->second.end());
    const NodeItem* card = node(id);
    if (!card) continue;
    for (QGraphicsItem* item : items(card->outline(), Qt::IntersectsItemBoundingRect))
      if (item->type() == ConnectionItem::Type) found.insert(static_cast<ConnectionItem*>(item));
  }
  return found;
}

void GraphScene::reroute(const std::set<NodeId>& nodes) {
  indexCards(nodes);
  for (ConnectionItem* item : wiresAround(nodes)) {
    item->refresh();
    item->route(cards_.near(item->span(), item->connection().from, item->connection().to));
  }
  for (const auto& [id, item] : frames_)
    if (item->saysAnother(item->content().size())) item->update();
}

}  // namespace nw::ui
