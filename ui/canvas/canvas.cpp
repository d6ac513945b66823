// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas.hpp"

#include <QApplication>
#include <QResizeEvent>
#include <algorithm>
#include <optional>

#include "ui/canvas/accessibility/accessible_canvas.hpp"
#include "ui/canvas/input/input.hpp"
#include "ui/canvas/measures/node_outputs.hpp"
#include "ui/canvas/overlays/breadcrumbs.hpp"
#include "ui/canvas/overlays/heatmap.hpp"
#include "ui/canvas/overlays/minimap.hpp"
#include "ui/canvas/overlays/tool_strip.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/session/session.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

/// The tools move aside while they would cover a layer that a quick fix would add: moving the view instead would move
/// the fix's button away from the pointer. They stay while they are in use.
bool isObstacle(const QWidget& tools, const GraphView& view) {
  if (!view.graph().ghost()) return false;
  QRectF coming;
  for (const EditPreview::Card& card : view.graph().ghost()->cards)
    coming = coming.united(view.viewportTransform().mapRect(card.place));
  const QWidget* focus = QApplication::focusWidget();
  return coming.intersects(tools.geometry()) && !(focus && tools.isAncestorOf(focus));
}

}  // namespace

Canvas::Canvas(Session& session, QWidget* parent) : QWidget(parent) {
  installCanvasAccessibility();
  scene_ = new GraphScene(session, this);
  view_ = new GraphView(*scene_, this);
  layerDrop_ = &installInput(*view_);
  hint_ = new EmptyState(this);
  hint_->setAttribute(Qt::WA_TransparentForMouseEvents);
  hint_->show(QStringLiteral("layers"), tr("An empty network"), tr("Drag a layer here, or press Tab"));
  outputs_ = new NodeOutputs(*scene_);
  heat_ = new Heatmap(*scene_, *outputs_, this);
  tools_ = new ToolStrip(*view_, *outputs_, *heat_, this);
  tools_->fitTo(0);
  setMinimumWidth(tools_->width() + 16);  // panels beside it may be dragged wider, but not over its tools
  map_ = new MiniMap(*view_, this);
  crumbs_ = new Breadcrumbs(this);
  setFocusProxy(view_);
  connect(scene_, &GraphScene::scopeChanged, this, [this] {
    followScope();
    view_->camera().fitAll();
  });
  connect(scene_, &GraphScene::contentChanged, this, &Canvas::followContent);
  connect(scene_, &GraphScene::placeChanged, this, [this](const QRectF& place) {
    if (place.isNull()) tools_->setVisible(!isObstacle(*tools_, *view_));
  });
  connect(&session, &Session::documentReplaced, this, [this] {
    fitted_ = isVisible();
    part_.reset();
    view_->camera().fitAll();
    selectOnlyNode();
  });
  connect(view_, &GraphView::mapShownChanged, this, &Canvas::placeOverlays);
  connect(heat_, &Heatmap::changed, this, &Canvas::placeOverlays);
  const auto follow = [this] {
    if (heat_->isVisible()) placeHeatmapLegend();
  };
  connect(&view_->camera(), &Camera::moved, this, follow);
  connect(scene_, &GraphScene::placeChanged, this, follow);
  connect(&session, &Session::fileChanged, this, &Canvas::followScope);
  connect(crumbs_, &Breadcrumbs::chosen, this, [this](int depth) {
    scene_->setScope(depth == 0 ? std::string() : path_[depth - 1].toStdString());
    view_->setFocus();
  });
  followScope();
  followContent();
  selectOnlyNode();
}

/// The Input of a new network: the next layer goes below it.
void Canvas::selectOnlyNode() {
  if (scene_->graph().nodes.size() == 1) scene_->selection().setCurrent(scene_->graph().nodes.begin()->first);
}

// Signals of the scene and the view must not reach destroyed overlays, and an open editor must not give the focus to a
// view under destruction.
Canvas::~Canvas() {
  scene_->disconnect(this);
  if (QWidget* editor = view_->focusWidget(); editor && view_->isAncestorOf(editor)) editor->clearFocus();
  view_->clearFocus();
  delete view_;
}

void Canvas::goTo(const std::string& scope, NodeId id) {
  scene_->setScope(scope);
  if (!scene_->elements().node(id)) return;
  scene_->selection().setCurrent(id);
  view_->camera().reveal(id);
}

void Canvas::followScope() {
  const QString scope = QString::fromStdString(scene_->scope());
  if (scope.isEmpty())
    path_.clear();
  else if (const auto at = path_.indexOf(scope); at >= 0)
    path_ = path_.mid(0, at + 1);
  else
    path_ << scope;
  crumbs_->setPath(QStringList(scene_->session().displayName()) + path_);
  crumbs_->setVisible(!path_.isEmpty());
  placeOverlays();
}

void Canvas::followContent() {
  hint_->setVisible(scene_->elements().isEmpty());
  placeOverlays();
}

void Canvas::placeOverlays() {
  constexpr int margin = 16;
  view_->setGeometry(rect());
  const QSize hint = hint_->sizeHint().expandedTo({280, 160});
  hint_->setGeometry(QRect(QPoint((width() - hint.width()) / 2, (height() - hint.height()) / 2 - 20), hint));
  tools_->fitTo(width());
  tools_->move(margin - ToolStrip::shadow, height() - tools_->height() - margin + ToolStrip::shadow);
  map_->move(width() - map_->width() - margin, height() - map_->height() - margin);
  map_->setVisible(view_->mapShown() && !scene_->elements().isEmpty() &&
                   width() > tools_->width() + map_->width() + 3 * margin);
  crumbs_->adjustSize();
  crumbs_->move(margin, margin - 4);
  view_->camera().setOverlays(path_.isEmpty() ? 0 : crumbs_->height() + margin - 4,
                              map_->isHidden() ? QSize() : map_->size() + QSize(margin + 8, margin + 8));
  placeHeatmapLegend();
}

std::vector<QRect> Canvas::shownNodes() const {
  const QTransform shown = view_->viewportTransform();
  const QRectF part = shown.inverted().mapRect(QRectF(view_->viewport()->rect()));
  std::vector<QRect> cards;
  for (const auto& [id, item] : scene_->elements().nodes())
    if (const QRectF outline = item->outline(); outline.intersects(part))
      cards.push_back(shown.mapRect(outline).toAlignedRect());
  return cards;
}

/// The legend's position: above the tools, or the nearest one along the lower and upper edge that covers no node.
std::optional<QRect> Canvas::freePlaceOfLegend(const QRect& home) const {
  constexpr int margin = 16, step = 24;
  const std::vector<QRect> cards = shownNodes();
  const QRect others[] = {tools_->geometry(), map_->isHidden() ? QRect() : map_->geometry(),
                          crumbs_->isHidden() ? QRect() : crumbs_->geometry()};
  const auto meets = [](const auto& list, const QRect& place) {
    return std::any_of(std::begin(list), std::end(list), [&](const QRect& r) { return r.intersects(place); });
  };
  const auto free = [&](const QRect& place) {
    return rect().contains(place) && !meets(others, place) && !meets(cards, place);
  };
  if (free(heat_->geometry()) && heat_->size() == home.size()) return heat_->geometry();
  std::optional<QRect> best;
  const auto far = [&](const QRect& place) { return (place.topLeft() - home.topLeft()).manhattanLength(); };
  for (const int y : {home.y(), height() - margin - home.height(), margin, crumbs_->geometry().bottom() + 8})
    for (int x = margin; x + home.width() <= width() - margin; x += step)
      if (const QRect place(QPoint(x, y), home.size()); free(place) && (!best || far(place) < far(*best))) best = place;
  return best;
}

/// If every position covers a node, the legend is translucent.
void Canvas::placeHeatmapLegend() {
  constexpr int margin = 16, gap = 8;
  const QSize size = heat_->sizeHint();
  const QRect home(QPoint(margin, tools_->y() + ToolStrip::shadow - size.height() - gap), size);
  const std::optional<QRect> place = freePlaceOfLegend(home);
  heat_->setGeometry(place.value_or(home));
  heat_->setFaded(!place);
}

void Canvas::resizeEvent(QResizeEvent*) {
  placeOverlays();
  if (!fitted_ && isVisible()) fit();
}

void Canvas::fit() {
  if (!part_) return view_->camera().fitAll();
  view_->camera().setZoom(part_->first, QPointF(0, 0));
  view_->centerOn(part_->second);
}

void Canvas::showPart(qreal zoom, QPointF centre) {
  part_ = {zoom, centre};
  if (isVisible()) fit();
}

void Canvas::showEvent(QShowEvent*) {
  if (fitted_ && !part_) return;
  fit();
  // The first size after showing may be an intermediate one; after the user's first action the view is not changed.
  QMetaObject::invokeMethod(
      this,
      [this] {
        fit();
        fitted_ = true;
        part_.reset();
      },
      Qt::QueuedConnection);
}

}  // namespace nw::ui
