// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/paint_tools.hpp"

#include <algorithm>

#include <QPainterPath>
#include <QPixmapCache>
#include <QPolygonF>
#include <cmath>
#include <numbers>

#include "ui/theme/icons.hpp"

namespace nw::ui {
namespace {

QPixmap tilePixmap(const QString& icon, const QString& group, int pixels, qreal radius) {
  const QColor fill = theme().tile(group), ink = theme().group(group);
  const QString key = QStringLiteral("tile/%1/%2/%3/%4/%5").arg(icon, fill.name(), ink.name()).arg(pixels).arg(radius);
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap)) return pixmap;
  pixmap = QPixmap(pixels, pixels);
  pixmap.fill(Qt::transparent);
  QPainter p(&pixmap);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(Qt::NoPen);
  p.setBrush(fill);
  p.drawRoundedRect(QRectF(0, 0, pixels, pixels), radius, radius);
  const qreal inset = pixels * 0.23;
  paintIcon(p, icon, QRectF(0, 0, pixels, pixels).adjusted(inset, inset, -inset, -inset), ink);
  p.end();
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

QPolygonF octagon(const QRectF& r) {
  QPolygonF polygon;
  for (int i = 0; i < 8; ++i) {
    const double angle = std::numbers::pi * (2 * i + 1) / 8;
    polygon << r.center() + QPointF(std::cos(angle), std::sin(angle)) * (r.width() / 2 * 1.04);
  }
  return polygon;
}

QPolygonF triangle(const QRectF& r) {
  return QPolygonF({QPointF(r.center().x(), r.top() - 0.5), QPointF(r.right() + 1, r.bottom()), QPointF(r.left() - 1, r.bottom())});
}

}  // namespace

QColor blend(const QColor& from, const QColor& to, qreal share) {
  const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
  return {mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue())};
}

QColor heatColour(const Theme& t, double share) {
  static constexpr QRgb dark[] = {0xFF24262B, 0xFF4B3426, 0xFF8C4C1F, 0xFFD9782B, 0xFFFFC46B}, light[] = {0xFFFFFFFF, 0xFFFFF0D6, 0xFFFFD08F, 0xFFF49D45, 0xFFCB5A12};
  const double at = std::clamp(share, 0.0, 1.0) * 4;
  const int step = std::min(3, static_cast<int>(at));
  const QRgb* ramp = t.dark ? dark : light;
  return blend(QColor(ramp[step]), QColor(ramp[step + 1]), at - step);
}

QColor wireColour(const Theme& t) { return blend(t.border3, t.text3, t.dark ? 0.45 : 0.4); }

void paintTile(QPainter& p, const QString& icon, const QString& group, const QRectF& where, qreal radius) {
  const QTransform& m = p.worldTransform();
  const qreal scale = std::hypot(m.m11(), m.m12()) * p.device()->devicePixelRatioF();
  const int pixels = std::max(1, static_cast<int>(std::lround(where.width() * scale)));
  p.drawPixmap(where, tilePixmap(icon, group, pixels, radius * scale), QRectF(0, 0, pixels, pixels));
}

void paintSample(QPainter& p, const QImage& sample, const QRectF& where, qreal radius) {
  QPainterPath clip;
  clip.addRoundedRect(where, radius, radius);
  p.save();
  p.setClipPath(clip, Qt::IntersectClip);
  p.setRenderHint(QPainter::SmoothPixmapTransform, sample.width() >= where.width());
  p.drawImage(where, sample);
  p.restore();
}

void paintBadge(QPainter& p, Badge badge, const QRectF& where) {
  const Theme& t = theme();
  const QColor colour = badge == Badge::fine ? t.ok : badge == Badge::warning ? t.warn : badge == Badge::error ? t.error : t.text3;
  const QRectF r = where;
  const QPointF c = r.center();
  p.setPen(QPen(t.raised, 2 * 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.setBrush(colour);
  const auto shape = [&] {
    if (badge == Badge::error) p.drawPolygon(octagon(r));
    else if (badge == Badge::warning) p.drawPolygon(triangle(r));
    else p.drawEllipse(r);
  };
  shape();
  p.setPen(Qt::NoPen);
  shape();
  p.setPen(QPen(t.dark ? t.canvas : t.raised, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.setBrush(Qt::NoBrush);
  if (badge == Badge::fine) p.drawPolyline(QPolygonF({c + QPointF(-2.7, 0.2), c + QPointF(-0.8, 2.1), c + QPointF(2.8, -1.9)}));
  if (badge == Badge::error) {
    p.drawLine(c + QPointF(-1.9, -1.9), c + QPointF(1.9, 1.9));
    p.drawLine(c + QPointF(1.9, -1.9), c + QPointF(-1.9, 1.9));
  }
  if (badge == Badge::warning) {
    p.drawLine(c + QPointF(0, -1.8), c + QPointF(0, 1.4));
    p.drawPoint(c + QPointF(0, 4));
  }
  if (badge != Badge::frozen) return;
  p.drawArc(QRectF(c.x() - 1.7, c.y() - 3.6, 3.4, 4.4), 0, 180 * 16);
  p.setBrush(p.pen().color());
  p.drawRect(QRectF(c.x() - 2, c.y() - 0.8, 4, 2.8));
}

void paintCross(QPainter& p, QPointF centre, qreal radius, const QColor& colour, const QColor& fill) {
  p.setPen(QPen(colour, 1.4));
  p.setBrush(fill);
  p.drawEllipse(centre, radius, radius);
  const qreal d = radius * 0.42;
  p.setPen(QPen(colour, 1.4, Qt::SolidLine, Qt::RoundCap));
  p.drawLine(centre + QPointF(-d, -d), centre + QPointF(d, d));
  p.drawLine(centre + QPointF(d, -d), centre + QPointF(-d, d));
}

void paintFloat(QPainter& p, const QRectF& card, qreal radius, const QColor& fill, const QColor& border) {
  const bool dark = theme().dark;
  p.setPen(Qt::NoPen);
  for (int i = 6; i > 0; --i) {
    p.setBrush(QColor(0, 0, 0, dark ? 10 : 3));
    p.drawRoundedRect(card.adjusted(-i, -i + 1.5, i, i + 1.5), radius + i, radius + i);
  }
  p.setPen(QPen(border, 1));
  p.setBrush(fill);
  p.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

}  // namespace nw::ui
