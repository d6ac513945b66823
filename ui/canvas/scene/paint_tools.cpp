// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/paint_tools.hpp"

#include <algorithm>

#include <QPainterPath>
#include <QPolygonF>
#include <cmath>
#include <numbers>

#include "ui/canvas/scene/paint_cache.hpp"
#include "ui/theme/icons.hpp"

namespace nw::ui {
namespace {

constexpr int floatReach = 6;  // pixels of shadow around floating elements

QPolygonF octagon(const QRectF& r) {
  QPolygonF polygon;
  for (int i = 0; i < 8; ++i) {
    const double angle = std::numbers::pi * (2 * i + 1) / 8;
    polygon << r.center() + QPointF(std::cos(angle), std::sin(angle)) * (r.width() / 2 * 1.04);
  }
  return polygon;
}

QPolygonF triangle(const QRectF& r) {
  return QPolygonF(
      {QPointF(r.center().x(), r.top() - 0.5), QPointF(r.right() + 1, r.bottom()), QPointF(r.left() - 1, r.bottom())});
}

void drawBadge(QPainter& p, Badge badge, const QRectF& where) {
  const Theme& t = theme();
  const QColor colour = badge == Badge::fine      ? t.ok
                        : badge == Badge::warning ? t.warn
                        : badge == Badge::error   ? t.error
                                                  : t.text3;
  const QRectF r = where;
  const QPointF c = r.center();
  p.setPen(QPen(t.raised, 2 * 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.setBrush(colour);
  const auto shape = [&] {
    if (badge == Badge::error)
      p.drawPolygon(octagon(r));
    else if (badge == Badge::warning)
      p.drawPolygon(triangle(r));
    else
      p.drawEllipse(r);
  };
  shape();
  p.setPen(Qt::NoPen);
  shape();
  p.setPen(QPen(t.dark ? t.canvas : t.raised, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.setBrush(Qt::NoBrush);
  if (badge == Badge::fine)
    p.drawPolyline(QPolygonF({c + QPointF(-2.7, 0.2), c + QPointF(-0.8, 2.1), c + QPointF(2.8, -1.9)}));
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

void drawFloat(QPainter& p, const QRectF& card, qreal radius, const QColor& fill, const QColor& border) {
  const bool dark = theme().dark;
  p.setPen(Qt::NoPen);
  for (int i = floatReach; i > 0; --i) {
    p.setBrush(QColor(0, 0, 0, dark ? 10 : 3));
    p.drawRoundedRect(card.adjusted(-i, -i + 1.5, i, i + 1.5), radius + i, radius + i);
  }
  p.setPen(QPen(border, 1));
  p.setBrush(fill);
  p.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

}  // namespace

QColor blend(const QColor& from, const QColor& to, qreal share) {
  const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
  return {mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue())};
}

QColor heatmapColour(const Theme& t, double share) { return Theme::ramp(t.costRamp, share); }

QColor heatmapFill(const Theme& t, double share) {
  return blend(t.raised, heatmapColour(t, share), t.highContrast ? 0.3 : t.dark ? 0.38 : 0.6);
}

double contrastOf(const QColor& a, const QColor& b) {
  const auto light = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  const auto luminance = [&](const QColor& c) {
    return 0.2126 * light(c.redF()) + 0.7152 * light(c.greenF()) + 0.0722 * light(c.blueF());
  };
  const double first = luminance(a), second = luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QColor inkOn(const Theme& t, const QColor& ground, const QColor& ink) {
  return contrastOf(ink, ground) >= (t.highContrast ? 7 : 4.5) ? ink : t.text1;
}

QColor connectionColour(const Theme& t) { return blend(t.border3, t.text3, t.dark ? 0.45 : 0.4); }

void paintTile(QPainter& p, const QString& icon, const QString& group, const QRectF& where, qreal radius) {
  const QString key =
      QStringLiteral("tile/%1/%2/%3/%4/%5").arg(icon, group).arg(where.width()).arg(where.height()).arg(radius);
  paintCached(p, key, where, [&](QPainter& tile) {
    tile.setPen(Qt::NoPen);
    tile.setBrush(theme().tile(group));
    tile.drawRoundedRect(where, radius, radius);
    const qreal inset = where.width() * 0.23;
    paintIcon(tile, icon, where.adjusted(inset, inset, -inset, -inset), theme().group(group));
  });
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

void paintCross(QPainter& p, QPointF centre, qreal radius, const QColor& colour, const QColor& fill) {
  p.setPen(QPen(colour, 1.4));
  p.setBrush(fill);
  p.drawEllipse(centre, radius, radius);
  const qreal d = radius * 0.42;
  p.setPen(QPen(colour, 1.4, Qt::SolidLine, Qt::RoundCap));
  p.drawLine(centre + QPointF(-d, -d), centre + QPointF(d, d));
  p.drawLine(centre + QPointF(d, -d), centre + QPointF(-d, d));
}

void paintBadge(QPainter& p, Badge badge, const QRectF& where) {
  const QString key = QStringLiteral("badge/%1/%2").arg(static_cast<int>(badge)).arg(where.width());
  paintCached(p, key, where.adjusted(-4, -4, 4, 4), [&](QPainter& still) { drawBadge(still, badge, where); });
}

void paintFloat(QPainter& p, const QRectF& card, qreal radius, const QColor& fill, const QColor& border) {
  const QString key = QStringLiteral("float/%1/%2/%3/%4/%5")
                          .arg(card.width())
                          .arg(card.height())
                          .arg(radius)
                          .arg(fill.name(QColor::HexArgb), border.name(QColor::HexArgb));
  paintCached(p, key, card.adjusted(-floatReach - 2, -floatReach - 2, floatReach + 2, floatReach + 4),
              [&](QPainter& still) { drawFloat(still, card, radius, fill, border); });
}

}  // namespace nw::ui
