// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/view/graph_view.hpp"

#include <QPaintEvent>
#include <QPainter>
#include <QSettings>
#include <algorithm>

#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/view/low_detail_view.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {
const QString mapKey = QStringLiteral("canvas/overview");
}

GraphView::GraphView(GraphScene& scene, QWidget* parent)
    : QGraphicsView(&scene, parent),
      scene_(scene),
      camera_(*this, scene),
      callout_(*this),
      far_(std::make_unique<LowDetailCache>(*this)) {
  setUp();
  mapShown_ = QSettings().value(mapKey, true).toBool();
  connect(&scene_, &GraphScene::scopeChanged, this, [this] {
    gesture_.reset();  // what it holds belongs to the scope in which it began
    viewport()->update();
  });
  connect(&scene_, &GraphScene::placeChanged, this, [this](const QRectF& place) { far_->change(place); });
}

void GraphView::setUp() {
  setObjectName(QStringLiteral("canvas"));
  setAccessibleName(tr("Network"));
  setFrameShape(NoFrame);
  setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing | QPainter::SmoothPixmapTransform);
  setViewportUpdateMode(SmartViewportUpdate);
  setOptimizationFlags(DontAdjustForAntialiasing);
  setTransformationAnchor(NoAnchor);
  setResizeAnchor(NoAnchor);
  setAlignment({});
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSceneRect(-100000, -100000, 200000, 200000);
  setMouseTracking(true);
  viewport()->setMouseTracking(true);
  setAcceptDrops(true);
  setFocusPolicy(Qt::StrongFocus);
}

// The gesture's destructor releases the scene's items and must run before the view's members are destroyed.
GraphView::~GraphView() { gesture_.reset(); }

void GraphView::addInput(std::unique_ptr<InputHandler> handler) { input_.push_back(std::move(handler)); }

bool GraphView::dispatch(QEvent* event) {
  return std::any_of(input_.begin(), input_.end(), [event](const auto& handler) { return handler->handle(*event); });
}

void GraphView::setTool(Tool tool) {
  tool_ = tool;
  viewport()->setCursor(tool == Tool::pointer ? Qt::ArrowCursor : Qt::CrossCursor);
  Q_EMIT toolChanged();
}

QPointF GraphView::cursorScene() const {
  const QPoint at = viewport()->mapFromGlobal(QCursor::pos());
  return mapToScene(viewport()->rect().contains(at) ? at : viewport()->rect().center());
}

void GraphView::begin(std::unique_ptr<Gesture> gesture) {
  cancel();
  gesture_ = std::move(gesture);
}

std::unique_ptr<Gesture> GraphView::takeGesture() { return std::move(gesture_); }

void GraphView::cancel() {
  if (!gesture_) return;
  gesture_->cancel();
  gesture_.reset();
  viewport()->update();
}

void GraphView::setMapShown(bool on) {
  if (mapShown_ == on) return;
  mapShown_ = on;
  QSettings().setValue(mapKey, on);
  Q_EMIT mapShownChanged(on);
}

void GraphView::scrollContentsBy(int dx, int dy) {
  QGraphicsView::scrollContentsBy(dx, dy);
  viewport()->update();  // the dots move with the scene
  Q_EMIT camera_.moved();
}

/// Texts in frames change with the language and the font.
void GraphView::changeEvent(QEvent* event) {
  const QEvent::Type type = event->type();
  if (type == QEvent::LanguageChange || type == QEvent::FontChange || type == QEvent::StyleChange ||
      type == QEvent::PaletteChange)
    far_->change({});
  QGraphicsView::changeEvent(event);
}

/// The low-detail view paints the whole viewport; the base class then paints one corner, which clears its pending
/// updates.
void GraphView::paintEvent(QPaintEvent* event) {
  if (camera_.zoom() >= card::barsBelow) return QGraphicsView::paintEvent(event);
  {
    QPainter p(viewport());
    far_->paint(p);
    p.setRenderHints(renderHints());
    p.setTransform(viewportTransform());
    drawForeground(&p, mapToScene(viewport()->rect()).boundingRect());
  }
  QPaintEvent corner(QRect(0, 0, 1, 1));
  QGraphicsView::paintEvent(&corner);
}

void GraphView::drawBackground(QPainter* p, const QRectF& exposed) {
  p->save();
  p->resetTransform();
  const QRect area = viewportTransform().mapRect(exposed).toAlignedRect().intersected(viewport()->rect());
  p->fillRect(area, theme().canvas);
  if (camera_.zoom() >= card::barsBelow) dots_.paint(*p, *this, area);
  p->restore();
}

void GraphView::drawForeground(QPainter* p, const QRectF& exposed) {
  scene_.elements().paintLabels(*p, exposed, camera_.zoom());
  if (scene_.ghost()) paintEditPreview(*p, scene_, *scene_.ghost());
  if (gesture_) gesture_->paint(*p);
  callout_.paint(*p);
}

/// Qt would move the focus with Tab before keyPressEvent() is called; here Tab adds a layer, and Ctrl+Tab moves the
/// focus.
bool GraphView::event(QEvent* event) {
  if (event->type() == QEvent::FocusOut) dispatch(event);
  if (event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab) {
      if (key->modifiers() & Qt::ControlModifier) return focusNextPrevChild(key->key() == Qt::Key_Tab);
      if (dispatch(event)) return true;
    }
  }
  return QGraphicsView::event(event);
}

bool GraphView::viewportEvent(QEvent* event) {
  const bool ours = event->type() == QEvent::NativeGesture || event->type() == QEvent::Leave;
  return (ours && dispatch(event)) || QGraphicsView::viewportEvent(event);
}

void GraphView::mousePressEvent(QMouseEvent* event) { dispatch(event); }
void GraphView::mouseMoveEvent(QMouseEvent* event) { dispatch(event); }
void GraphView::mouseReleaseEvent(QMouseEvent* event) { dispatch(event); }
void GraphView::mouseDoubleClickEvent(QMouseEvent* event) { dispatch(event); }
void GraphView::wheelEvent(QWheelEvent* event) { dispatch(event); }
void GraphView::contextMenuEvent(QContextMenuEvent* event) { dispatch(event); }
void GraphView::dragEnterEvent(QDragEnterEvent* event) { dispatch(event); }
void GraphView::dragMoveEvent(QDragMoveEvent* event) { dispatch(event); }
void GraphView::dragLeaveEvent(QDragLeaveEvent* event) { dispatch(event); }
void GraphView::dropEvent(QDropEvent* event) { dispatch(event); }
void GraphView::keyPressEvent(QKeyEvent* event) {
  if (!dispatch(event)) event->ignore();
}
void GraphView::keyReleaseEvent(QKeyEvent* event) {
  if (!dispatch(event)) QGraphicsView::keyReleaseEvent(event);
}

}  // namespace nw::ui
