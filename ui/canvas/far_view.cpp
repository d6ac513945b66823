// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/far_view.hpp"

#include <QPixmap>
#include <QStyleOptionGraphicsItem>
#include <cmath>
#include <map>
#include <tuple>

#include "ui/canvas/card.hpp"
#include "ui/canvas/connection_item.hpp"
#include "ui/canvas/frame_item.hpp"
#include "ui/canvas/graph_view.hpp"
#include "ui/canvas/node_item.hpp"
#include "ui/canvas/paint_tools.hpp"

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

class FarPainter {
 public:
  FarPainter(QPainter& p, const GraphView& view)
      : p_(p), scene_(view.graph()), toView_(view.viewportTransform()), seen_(view.viewport()->rect()), zoom_(view.zoom()), ratio_(view.devicePixelRatioF()) {}

  void paint() {
    p_.setRenderHint(QPainter::Antialiasing);
    for (const auto& [id, item] : scene_.frames()) paintItem(p_, toView_, *item);
    for (const auto& [id, item] : scene_.notes()) paintItem(p_, toView_, *item);
    connections();
    for (const auto& [id, item] : scene_.nodes())
      if (const QRectF where = toView_.mapRect(item->outline()); where.adjusted(-12, -12, 12, 12).intersects(seen_)) node(*item, where);
  }

 private:
  void connections() {
    std::map<std::pair<QRgb, bool>, QVector<QLineF>> lines;   // by colour, dashed or not
    for (const auto& [c, item] : scene_.connections()) {
      if (!toView_.mapRect(item->boundingRect()).intersects(seen_)) continue;
      QColor ink = item->colour();
      if (item->opacity() < 1) ink = blend(theme().canvas, ink, item->opacity());
      QVector<QLineF>& into = lines[{ink.rgb(), item->isDashed()}];
      const QVector<QPointF>& corners = item->corners();
      for (int i = 1; i < corners.size(); ++i) into << QLineF(toView_.map(corners[i - 1]), toView_.map(corners[i]));
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
    const NodeLook& look = item.look();
    const bool own = item.isHinted() || item.isGhost() || look.dot || look.state == NodeState::error || scene_.heat(item.id());
    if (zoom_ >= card::blocksBelow) return own ? paintItem(p_, toView_, item) : picture(item);
    if (item.isHinted()) return paintItem(p_, toView_, item);
    const Theme& t = theme();
    const NodeHeat* heat = scene_.heat(item.id());
    p_.fillRect(where, look.state == NodeState::error ? t.error : heat ? heatColour(t, heat->share) : blend(t.canvas, t.group(look.group), look.bypassed ? 0.35 : 0.8));
    if (!item.isSelected()) return;
    p_.setPen(QPen(t.ring, 2));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(where.adjusted(-3, -3, 3, 3));
  }

  /// Nodes that look alike from here share one picture for the length of the frame.
  void picture(NodeItem& item) {
    const NodeLook& look = item.look();
    const auto key = std::tuple(look.group, look.compact, look.block, look.bypassed, look.state == NodeState::warning, item.isSelected(), item.isHovered());
    const QRectF box = item.boundingRect();
    QPixmap& made = pictures_[key];
    if (made.isNull()) {
      made = QPixmap((box.size() * zoom_ * ratio_).toSize() + QSize(2, 2));
      made.setDevicePixelRatio(ratio_);
      made.fill(Qt::transparent);
      QPainter p(&made);
      p.setRenderHint(QPainter::Antialiasing);
      p.setTransform(QTransform::fromTranslate(-box.left(), -box.top()) * QTransform::fromScale(zoom_, zoom_));
      QStyleOptionGraphicsItem option;
      item.paint(&p, &option, nullptr);
    }
    const QPointF at = toView_.map(item.pos() + box.topLeft());
    p_.drawPixmap(QPointF(std::round(at.x() * ratio_) / ratio_, std::round(at.y() * ratio_) / ratio_), made);
  }

  QPainter& p_;
  const GraphScene& scene_;
  QTransform toView_;
  QRectF seen_;
  qreal zoom_, ratio_;
  std::map<std::tuple<QString, bool, bool, bool, bool, bool, bool>, QPixmap> pictures_;
};

}  // namespace

void paintFar(QPainter& p, const GraphView& view) { FarPainter(p, view).paint(); }

}  // namespace nw::ui
