// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas from far away, below the zoom where text is read: connections as lines, cards as pictures that are made
// once per look, or as plain blocks. The whole is kept as one picture: while the view pans it is shifted, and only what
// came into view or changed since is painted.
#pragma once
#include <QImage>
#include <QPainter>
#include <QRegion>
#include <vector>

namespace nw::ui {

class GraphView;

/// Paints background, frames, notes, connections and nodes within `part`; `p` and `part` are in viewport coordinates.
void paintLowDetail(QPainter& p, const GraphView& view, const QRegion& part);

/// The far canvas of one view. GUI thread.
class LowDetailCache {
 public:
  explicit LowDetailCache(const GraphView& view) : view_(view) {}
  /// Something in that place of the scene looks different now; a null rectangle: anything may.
  void change(const QRectF& scene);
  /// Brings the picture up to date and copies it; `p` is in viewport coordinates.
  void paint(QPainter& p);
  /// Share of the viewport that the last paint() had to paint anew, 0…1.
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
