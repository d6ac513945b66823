// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/graph_scene.hpp"

#include <algorithm>

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
    : QGraphicsScene(parent), session_(session), elements_(*this), selection_(*this) {
  connect(&session_, &Session::documentChanged, this, &GraphScene::follow);
  // Another document may have no block of this name, so that no listener may read the new one by the old scope.
  connect(&session_, &Session::documentAboutToBeReplaced, this, [this] {
    setScope({});
    clearSelection();
  });
  connect(&session_, &Session::documentReplaced, this, [this] {
    rebuild();
    Q_EMIT scopeChanged();
  });
  connect(&session_, &Session::analysisChanged, this, &GraphScene::applyAnalysis);
  connect(&display_, &DisplayOptions::changed, this, &GraphScene::repaintAll);
  rebuild();
}

// The base class destroys the items after this class's members; their selection signals must not reach those members.
GraphScene::~GraphScene() { disconnect(this, nullptr, nullptr, nullptr); }  // destroyed items are deselected

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
  elements_.clear();
  Q_EMIT placeChanged({});
}

void GraphScene::addItems() {
  index_.setConnections(graph());
  index_.setProblems(session_.analysis().problems, scope_, graph());
  elements_.addAll();
}

/// Listeners of contentChanged() already read the new selection.
void GraphScene::announceContent() {
  const bool other = selection_.resume();
  Q_EMIT contentChanged();
  if (other) Q_EMIT selectionUpdated();
}

void GraphScene::follow(const Edit& edit) {
  endPreview();                    // the preview was computed from the document before the change
  if (!doc().has_scope(scope_)) {  // the edit removed the displayed definition
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
  std::set<NodeId> touched = elements_.apply(edit);
  index_.setProblems(session_.analysis().problems, scope_, graph());
  elements_.refresh(std::move(touched));
}

void GraphScene::applyAnalysis() {
  index_.setProblems(session_.analysis().problems, scope_, graph());
  elements_.refreshAnalysis();
  Q_EMIT lookChanged();
}

const NodeInfo* GraphScene::facts(NodeId id) const {
  const auto& byScope = session_.analysis().facts;
  const auto here = byScope.find(scope_);
  if (here == byScope.end()) return nullptr;
  const auto found = here->second.find(id);
  return found == here->second.end() ? nullptr : &found->second;
}

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

}  // namespace nw::ui
