// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/view/camera.hpp"

#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"

namespace nw::ui {

/// The part of the viewport that no overlay covers; the tool strip is at the bottom.
QRectF Camera::freeArea() const { return QRectF(view_.viewport()->rect()).adjusted(24, 20 + overlayTop_, -24, -72); }

qreal Camera::smallestZoom() const {
  const QSizeF all = scene_.elements().contentRect().size(), free = freeArea().size();
  if (all.isEmpty() || free.isEmpty()) return card::smallestZoom;
  return std::clamp(std::min(free.width() / all.width(), free.height() / all.height()), card::tiniestZoom,
                    card::smallestZoom);
}

void Camera::setZoom(qreal zoom, QPointF anchor) {
  const qreal wanted = std::clamp(zoom, smallestZoom(), card::largestZoom);
  const QPointF fixed = view_.mapToScene(anchor.toPoint());
  // in low detail each frame paints the whole viewport
  view_.setViewportUpdateMode(wanted < card::barsBelow ? QGraphicsView::FullViewportUpdate
                                                       : QGraphicsView::SmartViewportUpdate);
  view_.setTransform(QTransform::fromScale(wanted, wanted));
  scrollBy(anchor - view_.viewportTransform().map(fixed));
  Q_EMIT zoomChanged(wanted);
  Q_EMIT moved();
}

void Camera::zoomStep(int steps) { setZoom(zoom() * std::pow(1.2, steps), view_.viewport()->rect().center()); }

void Camera::scrollBy(QPointF delta) {
  const auto scroll = [](QScrollBar* bar, qreal by) {
    bar->setValue(bar->value() - static_cast<int>(std::lround(by)));
  };
  scroll(view_.horizontalScrollBar(), delta.x());
  scroll(view_.verticalScrollBar(), delta.y());
}

void Camera::fitRect(const QRectF& scene) {
  const QRectF free = freeArea();
  if (free.width() < 10 || free.height() < 10) return;
  if (scene.isEmpty()) return setZoom(1, view_.viewport()->rect().center());
  const qreal scale = std::min({1.0, free.width() / scene.width(), free.height() / scene.height()});
  setZoom(scale, view_.viewport()->rect().center());
  scrollBy(free.center() - view_.viewportTransform().map(scene.center()));
  const QSize viewport = view_.viewport()->size();
  const QRectF corner(QPointF(viewport.width() - overlayCorner_.width(), viewport.height() - overlayCorner_.height()),
                      QSizeF(overlayCorner_));
  const qreal covered = rightmostOutline(corner).right() - corner.left(),
              spare = view_.viewportTransform().mapRect(scene).left() - free.left();
  if (covered > 0 && spare >= covered) scrollBy({-covered, 0});
  Q_EMIT moved();
}

void Camera::fitAll() { fitRect(scene_.elements().contentRect()); }

void Camera::fitSelection() {
  QRectF area;
  for (const NodeId id : scene_.selection().nodes()) area = area.united(scene_.elements().node(id)->outline());
  fitRect(area.isEmpty() ? scene_.elements().contentRect() : area.adjusted(-40, -40, 40, 40));
}

void Camera::reveal(NodeId id) {
  if (const NodeItem* item = scene_.elements().node(id)) view_.ensureVisible(item->outline(), 30, 80);
  Q_EMIT moved();
}

void Camera::setOverlays(int top, QSize corner) {
  overlayTop_ = top;
  overlayCorner_ = corner;
}

/// The right edge of the rightmost node or frame that intersects `area`, in viewport coordinates; a value left of
/// every item when none intersects it.
QRectF Camera::rightmostOutline(const QRectF& area) const {
  QRectF rightmost(-1e9, 0, 0, 0);
  const auto take = [&](const QRectF& outline) {
    const QRectF shown = view_.viewportTransform().mapRect(outline);
    if (shown.intersects(area) && shown.right() > rightmost.right()) rightmost = shown;
  };
  for (const auto& [id, item] : scene_.elements().nodes()) take(item->outline());
  for (const auto& [id, item] : scene_.elements().frames()) take(item->outline());
  return rightmost;
}

}  // namespace nw::ui
