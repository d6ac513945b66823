// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/view/low_detail_view.hpp"

#include <QPixmap>
#include <QStyleOptionGraphicsItem>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <tuple>

#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/canvas/view/graph_view.hpp"

namespace nw::ui {
namespace {

void paintItem(QPainter& p, const QTransform& toView, QGraphicsItem& item) {
  p.save();
  p.setTransform(QTransform::fromTranslate(item.pos().x(), item.pos().y()) * toView);
  p.setOpacity(item.opacity());
  QStyleOptionGraphicsItem option;
  item.paint(&p, &option, nullptr);
  p.restore();
}

/// Rounds to device pixels independently of the view's position.
qreal snapped(qreal at, qreal ratio) { return std::floor(at * ratio + 0.5) / ratio; }

class LowDetailPainter {
 public:
  LowDetailPainter(QPainter& p, const GraphView& view, const QRegion& part)
      : p_(p),
        scene_(view.graph()),
        toView_(view.viewportTransform()),
        part_(part),
        bounds_(part.boundingRect()),
        zoom_(view.camera().zoom()),
        ratio_(view.devicePixelRatioF()) {}

  void paint() {
    p_.setRenderHint(QPainter::Antialiasing);
    for (const auto& [id, item] : scene_.elements().frames()) box(*item);
    for (const auto& [id, item] : scene_.elements().notes()) box(*item);
    connections();
    p_.setRenderHint(QPainter::Antialiasing, zoom_ >= card::blocksBelow);  // blocks lie on whole pixels
    for (const auto& [id, item] : scene_.elements().nodes())
      if (const QRectF where = seen(item->outline()); touches(where, 12)) node(*item, where);
  }

 private:
  /// The view's transform has no rotation or shear.
  QPointF seen(QPointF scene) const { return {scene.x() * zoom_ + toView_.dx(), scene.y() * zoom_ + toView_.dy()}; }
  QRectF seen(const QRectF& scene) const { return {seen(scene.topLeft()), scene.size() * zoom_}; }

  bool touches(const QRectF& where, qreal around) const {
    const QRectF wide = where.adjusted(-around, -around, around, around);
    return wide.intersects(bounds_) && (part_.rectCount() == 1 || part_.intersects(wide.toAlignedRect()));
  }

  void box(BoxItem& item) {
    if (touches(seen(item.seenRect()), 2)) paintItem(p_, toView_, item);
  }

  void connections() {
    std::map<std::pair<QRgb, bool>, QVector<QLineF>> lines;  // by colour, dashed or not
    for (const auto& [c, item] : scene_.elements().connections()) {
      if (!touches(seen(item->boundingRect()), 2)) continue;
      QColor ink = item->colour();
      if (item->opacity() < 1) ink = blend(theme().canvas, ink, item->opacity());
      QVector<QLineF>& into = lines[{ink.rgb(), item->isDashed()}];
      const QVector<QPointF>& corners = item->corners();
      for (int i = 1; i < corners.size(); ++i) into << QLineF(seen(corners[i - 1]), seen(corners[i]));
    }
    p_.setRenderHint(QPainter::Antialiasing, false);
    for (const auto& [look, all] : lines) {
      QPen pen(QColor(look.first), 1);
      if (look.second) pen.setDashPattern({3.2, 2.6});
      p_.setPen(pen);
      p_.drawLines(all);
    }
    p_.setRenderHint(QPainter::Antialiasing);
  }

  void node(NodeItem& item, const QRectF& where) {
    if (zoom_ < card::blocksBelow) return block(item, where);
    const NodeText& look = item.look();
    if (item.isEditPreview() || look.dot || look.state == NodeState::error) return paintItem(p_, toView_, item);
    picture(item);
  }

  void block(NodeItem& item, const QRectF& where) {
    const Theme& t = theme();
    const QRectF whole(snapped(where.left(), ratio_), snapped(where.top(), ratio_), snapped(where.width(), ratio_),
                       std::max(1 / ratio_, snapped(where.height(), ratio_)));
    p_.fillRect(whole, colourOf(item));
    if (item.isHinted()) hints(item);
    if (!item.isSelected()) return;
    p_.setPen(QPen(t.ring, 2));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(where.adjusted(-3, -3, 3, 3));
  }

  QColor colourOf(const NodeItem& item) {
    const Theme& t = theme();
    const NodeText& look = item.look();
    if (look.state == NodeState::error) return t.error;
    if (const HeatmapValue* heat = scene_.display().heat(item.id())) return heatmapColour(t, heat->share);
    QColor& colour = (look.bypassed ? pale_ : full_)[look.group];
    if (!colour.isValid()) colour = blend(t.canvas, t.group(look.group), look.bypassed ? 0.35 : 0.8);
    return colour;
  }

  /// The possible targets of the connection that is being drawn.
  void hints(const NodeItem& item) {
    for (const bool output : {false, true})
      for (int i = 0; i < item.hints(output).size(); ++i) {
        if (item.hints(output)[i] != PortHint::fits) continue;
        const QPointF at = seen(item.portPosition(output, i));
        p_.fillRect(QRectF(at.x() - 2, at.y() - 2, 4, 4), theme().ring);
      }
  }

  /// Nodes that look alike at this zoom share one rendering while the frame is painted.
  void picture(NodeItem& item) {
    const QRectF area = item.boundingRect();
    QPixmap& made = pictures_[nodeTextOf(item)];
    if (made.isNull()) {
      made = QPixmap((area.size() * zoom_ * ratio_).toSize() + QSize(2, 2));
      made.setDevicePixelRatio(ratio_);
      made.fill(Qt::transparent);
      QPainter p(&made);
      p.setRenderHint(QPainter::Antialiasing);
      p.setTransform(QTransform::fromTranslate(-area.left(), -area.top()) * QTransform::fromScale(zoom_, zoom_));
      QStyleOptionGraphicsItem option;
      item.paint(&p, &option, nullptr);
    }
    const QPointF at = seen(item.pos() + area.topLeft());
    p_.drawPixmap(QPointF(snapped(at.x(), ratio_), snapped(at.y(), ratio_)), made);
  }

  /// Everything that a node without text shows; tints are rounded to steps too small to distinguish.
  QString nodeTextOf(const NodeItem& item) const {
    const NodeText& look = item.look();
    const HeatmapValue* heat = scene_.display().heat(item.id());
    QString key = look.group;
    for (const bool on : {look.compact, look.block, look.bypassed, item.isSelected(), item.isHovered()})
      key += on ? u'1' : u'0';
    key += heat ? QString::number(qRound(heat->share * 63)) : QString();
    if (!item.isHinted()) return key;
    for (const bool output : {false, true}) {
      key += QStringLiteral("/%1").arg(output ? look.outputs : look.inputs);
      for (int i = 0; i < (output ? look.outputs : look.inputs); ++i) {
        const QPointF at = item.portPosition(output, i) - item.pos();
        key += QStringLiteral(":%1,%2,%3")
                   .arg(i < item.hints(output).size() ? static_cast<int>(item.hints(output)[i]) : 0)
                   .arg(at.x())
                   .arg(scene_.index().isConnected({item.id(), output, i}));
      }
    }
    return key;
  }

  QPainter& p_;
  const GraphScene& scene_;
  QTransform toView_;
  const QRegion& part_;
  QRectF bounds_;
  qreal zoom_, ratio_;
  QHash<QString, QColor> full_, pale_;  // of the groups
  QHash<QString, QPixmap> pictures_;
};

constexpr std::size_t manyPlaces = 200;  // from this number on the whole viewport is repainted

QPoint originOf(const GraphView& view) { return view.viewportTransform().map(QPointF(0, 0)).toPoint(); }

bool isWhole(qreal v) { return std::abs(v - std::round(v)) < 1e-6; }

}  // namespace

void paintLowDetail(QPainter& p, const GraphView& view, const QRegion& part) {
  p.fillRect(part.boundingRect(), theme().canvas);
  LowDetailPainter(p, view, part).paint();
}

void LowDetailCache::change(const QRectF& scene) {
  if (all_) return;
  if (scene.isNull() || changed_.size() >= manyPlaces)
    all_ = true;
  else
    changed_.push_back(scene);
}

LowDetailCache::Key LowDetailCache::key() const {
  return {view_.viewport()->size(), view_.camera().zoom(), view_.devicePixelRatioF(), theme().dark,
          theme().highContrast};
}

/// Moves the pixels with the view; the newly exposed area remains to be painted.
QRegion LowDetailCache::shifted(QPoint from, QPoint to) {
  const QPoint by = to - from;
  if (by.isNull()) return {};
  const QRect whole(QPoint(), made_.size);
  const QRect stays = whole.intersected(whole.translated(by));
  const QPointF pixels = QPointF(by) * made_.ratio;
  if (stays.isEmpty() || !isWhole(pixels.x()) || !isWhole(pixels.y())) return whole;
  const int dx = qRound(pixels.x()), dy = qRound(pixels.y()), width = image_.width() - std::abs(dx),
            height = image_.height() - std::abs(dy);
  for (int i = 0; i < height; ++i) {
    const int row = dy > 0 ? height - 1 - i : i;  // this order overwrites no row before it is moved
    uchar* into = image_.scanLine(row + std::max(0, dy)) + 4 * std::max(0, dx);
    std::memmove(into, image_.constScanLine(row + std::max(0, -dy)) + 4 * std::max(0, -dx),
                 4 * static_cast<std::size_t>(width));
  }
  return QRegion(whole).subtracted(stays);
}

/// The changed area, in viewport coordinates: a selected node is outlined in pixels, not in scene units.
QRect LowDetailCache::outOfDate() const {
  const QRect whole(QPoint(), made_.size);
  QRect all;
  for (const QRectF& place : changed_)
    all |= view_.viewportTransform().mapRect(place).toAlignedRect().adjusted(-8, -8, 8, 8).intersected(whole);
  return all;
}

/// One rectangle at a time: in a clip of several rectangles Qt blends antialiased edges differently, and the colours
/// differ slightly.
void LowDetailCache::renew(const QRegion& part) {
  QPainter p(&image_);
  for (const QRect& rect : part) {
    p.setClipRect(rect);
    paintLowDetail(p, view_, rect);
  }
}

void LowDetailCache::paint(QPainter& p) {
  const Key now = key();
  const QPoint origin = originOf(view_);
  const QRect whole(QPoint(), now.size);
  QRegion part = whole;
  if (now != made_ || image_.isNull()) {
    image_ = QImage((QSizeF(now.size) * now.ratio).toSize(), QImage::Format_RGB32);
    image_.setDevicePixelRatio(now.ratio);
    made_ = now;
  } else if (!all_) {
    part = shifted(origin_, origin);
    if (const QRect changed = outOfDate(); !changed.isEmpty())
      part = part.isEmpty() ? QRegion(changed) : QRegion(part.boundingRect() | changed);
  }
  origin_ = origin;
  all_ = false;
  changed_.clear();
  if (!part.isEmpty() && !image_.isNull()) renew(part);
  painted_ = 0;
  for (const QRect& r : part)
    painted_ += double(r.width()) * r.height() / std::max(1.0, double(whole.width()) * whole.height());
  p.drawImage(QPointF(), image_);
}

}  // namespace nw::ui
