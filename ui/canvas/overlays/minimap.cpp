// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/overlays/minimap.hpp"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>

#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/canvas/view/graph_view.hpp"

namespace nw::ui {

MiniMap::MiniMap(GraphView& view, QWidget* parent) : QWidget(parent), view_(view) {
  setObjectName(QStringLiteral("minimap"));
  setAccessibleName(tr("Overview"));
  setFixedSize(184, 118);
  setCursor(Qt::PointingHandCursor);
  const auto repaint = qOverload<>(&MiniMap::update);
  connect(&view.camera(), &Camera::moved, this, repaint);
  connect(&view.graph(), &GraphScene::contentChanged, this, &MiniMap::forget);
  connect(&view.graph(), &GraphScene::lookChanged, this, &MiniMap::forget);
}

QRectF MiniMap::visibleScene() const { return view_.mapToScene(view_.viewport()->rect()).boundingRect(); }

QTransform MiniMap::showing(QRectF all) const {
  all.adjust(-20, -20, 20, 20);
  const QRectF room = QRectF(rect()).adjusted(8, 8, -8, -8);
  const qreal scale = std::min(room.width() / all.width(), room.height() / all.height());
  return QTransform::fromTranslate(-all.center().x(), -all.center().y()) * QTransform::fromScale(scale, scale) *
         QTransform::fromTranslate(room.center().x(), room.center().y());
}

QRectF MiniMap::content() const {
  if (area_.isNull()) area_ = view_.graph().elements().contentRect();
  return area_;
}

QTransform MiniMap::fromScene() const {
  const QRectF seen = visibleScene();
  return showing(content().isEmpty() ? seen
                                     : content().united(seen.intersected(content().adjusted(-800, -800, 800, 800))));
}

void MiniMap::forget() {
  area_ = {};
  picture_ = {};
  update();
}

void MiniMap::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) forget();
  QWidget::changeEvent(event);
}

/// All items, as large as they fit; cached while only the view moves.
const QPixmap& MiniMap::picture() {
  const Theme& t = theme();
  const qreal ratio = devicePixelRatioF();
  const QString colours = t.window.name();
  if (!picture_.isNull() && picture_.devicePixelRatio() == ratio && colours_ == colours) return picture_;
  picture_ = QPixmap(size() * ratio);
  picture_.setDevicePixelRatio(ratio);
  picture_.fill(Qt::transparent);
  colours_ = colours;
  const QTransform map = showing(content());
  QPainter p(&picture_);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(Qt::NoPen);
  p.setBrush(blend(t.window, t.text1, 0.12));
  for (const auto& [id, item] : view_.graph().elements().frames())
    p.drawRoundedRect(map.mapRect(item->outline()), 2, 2);
  for (const auto& [id, item] : view_.graph().elements().nodes()) {
    const QColor ink =
        item->look().state == NodeState::error ? t.error : blend(t.window, t.group(item->look().group), 0.75);
    QRectF r = map.mapRect(item->outline());
    r.setHeight(std::max(r.height(), 2.0));
    p.fillRect(r, ink);
  }
  return picture_;
}

void MiniMap::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  const QTransform map = fromScene();
  QPainter p(this);
  p.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  p.setPen(QPen(t.border2, 1));
  p.setBrush(t.window);
  p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius::control, radius::control);
  if (!content().isEmpty()) {  // smaller than the cached image while the view extends beyond the items
    p.save();
    p.setTransform(showing(content()).inverted() * map, true);
    p.drawPixmap(0, 0, picture());
    p.restore();
  }
  QColor fill = t.ring;
  fill.setAlphaF(0.1);
  p.setPen(QPen(t.ring, 1.2));
  p.setBrush(fill);
  p.drawRoundedRect(map.mapRect(visibleScene()).intersected(QRectF(rect()).adjusted(2, 2, -2, -2)), 2, 2);
}

void MiniMap::mousePressEvent(QMouseEvent* event) { mouseMoveEvent(event); }

void MiniMap::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) return;
  view_.centerOn(fromScene().inverted().map(event->position()));
}

}  // namespace nw::ui
