// SPDX-License-Identifier: GPL-3.0-or-later
// The low-detail view, below the zoom at which text is legible: connections as lines, nodes as cached renderings (one
// per appearance) or as plain rectangles. The whole viewport is cached as one image: panning shifts it, and only
// areas that came into view or changed since are painted.
#pragma once
#include <QImage>
#include <QPainter>
#include <QRegion>
#include <vector>

namespace nw::ui {

class GraphView;

/// Paints background, frames, notes, connections and nodes within `part`; `p` and `part` are in viewport coordinates.
void paintLowDetail(QPainter& p, const GraphView& view, const QRegion& part);

/// The cached rendering of one view at low detail. GUI thread.
class LowDetailCache {
 public:
  explicit LowDetailCache(const GraphView& view) : view_(view) {}
  /// Marks that area of the scene for repainting; a null rectangle: all of it.
  void change(const QRectF& scene);
  /// Updates the cached image and draws it; `p` is in viewport coordinates.
  void paint(QPainter& p);
  /// Fraction of the viewport that the last paint() had to paint anew, 0…1.
  double painted() const { return painted_; }

 private:
  struct Key {
    QSize size;
    qreal zoom = 0, ratio = 0;
    bool dark = false, highContrast = false;
    bool operator==(const Key&) const = default;
  };
  Key key() const;
  QRegion shifted(QPoint from, QPoint to);
  QRect outOfDate() const;
  void renew(const QRegion& part);

  const GraphView& view_;
  QImage image_;
  Key made_;
  QPoint origin_;  // of the scene in the viewport when it was painted
  bool all_ = true;
  std::vector<QRectF> changed_;  // scene coordinates
  double painted_ = 0;
};

}  // namespace nw::ui
