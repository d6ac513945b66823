// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/paint_cache.hpp"

#include <QPaintEngine>
#include <QPixmapCache>
#include <cmath>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr qreal largest = 1.5e6;  // pixels; larger renderings are not cached
constexpr int cacheKib = 48 * 1024;
qint64 made = 0;

/// True for a transform of translation and uniform positive scale; only then is a cached rendering a plain copy.
bool isPlain(const QPainter& p) {
  const QTransform& m = p.worldTransform();
  return p.paintEngine() && p.paintEngine()->type() == QPaintEngine::Raster && m.type() <= QTransform::TxScale &&
         m.m11() > 0 && m.m11() == m.m22();
}

QPixmap painted(const QRectF& where, qreal scale, const std::function<void(QPainter&)>& draw, const QPainter& like) {
  QPixmap picture((where.size() * scale).toSize() + QSize(2, 2));
  picture.fill(Qt::transparent);
  QPainter p(&picture);
  p.setRenderHints(like.renderHints());
  p.setTransform(QTransform::fromTranslate(-where.left(), -where.top()) * QTransform::fromScale(scale, scale));
  draw(p);
  ++made;
  return picture;
}

}  // namespace

void paintCached(QPainter& p, const QString& key, const QRectF& where, const std::function<void(QPainter&)>& draw) {
  static const bool once = [] {
    QPixmapCache::setCacheLimit(std::max(QPixmapCache::cacheLimit(), cacheKib));
    return true;
  }();
  Q_UNUSED(once);
  const qreal ratio = p.device()->devicePixelRatioF(), scale = p.worldTransform().m11() * ratio;
  if (!isPlain(p) || where.width() * where.height() * scale * scale > largest) {
    p.save();
    draw(p);
    return p.restore();
  }
  const Theme& t = theme();
  const QString full = QStringLiteral("still/%1/%2/%3/%4")
                           .arg(key)
                           .arg(scale, 0, 'g', 17)
                           .arg(t.highContrast ? 2
                                : t.dark       ? 1
                                               : 0)
                           .arg(static_cast<int>(p.renderHints()));
  QPixmap picture;
  if (!QPixmapCache::find(full, &picture)) {
    picture = painted(where, scale, draw, p);
    QPixmapCache::insert(full, picture);
  }
  const QPointF at = p.deviceTransform().map(where.topLeft());
  const QTransform before = p.worldTransform();
  p.setWorldTransform(QTransform::fromScale(1 / ratio, 1 / ratio));  // a unit is a pixel of the device now
  p.drawPixmap((QPointF(std::round(at.x()), std::round(at.y())) - p.deviceTransform().map(QPointF())), picture);
  p.setWorldTransform(before);
}

qint64 cachedRenderings() { return made; }

}  // namespace nw::ui
