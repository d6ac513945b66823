// SPDX-License-Identifier: GPL-3.0-or-later
// Zoom and scrolling of the view on a scene, and fitting parts of the scene into the area that no overlay covers.
#pragma once
#include <QGraphicsView>
#include <QObject>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

class GraphScene;

/// GUI thread. Lives as long as the view.
class Camera : public QObject {
  Q_OBJECT
 public:
  Camera(QGraphicsView& view, const GraphScene& scene) : view_(view), scene_(scene) {}
  qreal zoom() const { return view_.transform().m11(); }
  /// Zooms, clamped to the limits; the scene point below `anchor` (viewport coordinates) stays there.
  void setZoom(qreal zoom, QPointF anchor);
  /// `steps` factors of 1.2 about the centre of the viewport; negative: out.
  void zoomStep(int steps);
  /// card::smallestZoom, or less where the network needs it to fit.
  qreal smallestZoom() const;
  void fitRect(const QRectF& scene);
  void fitAll();
  void fitSelection();     // the whole network when nothing is selected
  void reveal(NodeId id);  // scrolls as little as needed
  void scrollBy(QPointF viewportDelta);
  /// The overlays that cover the view: a bar at the top (its height, 0: none) and a widget in the lower right corner.
  void setOverlays(int top, QSize corner);
  /// A distance in pixels as one in the scene, for the hit tests: below 100 % targets keep their size on the screen.
  qreal reach(qreal pixels) const { return pixels / std::min<qreal>(1, zoom()); }

 Q_SIGNALS:
  void zoomChanged(qreal zoom);
  void moved();

 private:
  QRectF freeArea() const;
  QRectF rightmostOutline(const QRectF& area) const;

  QGraphicsView& view_;
  const GraphScene& scene_;
  int overlayTop_ = 0;
  QSize overlayCorner_;
};

}  // namespace nw::ui
