// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/thumbnail.hpp"

#include <QPainterPath>

#include "ui/theme/theme.hpp"

namespace nw::ui {

void paintThumbnail(QPainter& p, const QImage& image, const QRectF& where, qreal radius) {
  const Theme& t = theme();
  p.save();
  p.setRenderHint(QPainter::Antialiasing);
  QPainterPath outline;
  outline.addRoundedRect(where, radius, radius);
  p.fillPath(outline, t.sunken);
  if (!image.isNull()) {
    p.setClipPath(outline);
    p.setRenderHint(QPainter::SmoothPixmapTransform, where.width() < 5 * image.width());
    const QSizeF size = QSizeF(image.size()).scaled(where.size(), Qt::KeepAspectRatio);
    p.drawImage(QRectF(where.center() - QPointF(size.width() / 2, size.height() / 2), size), image);
    p.setClipping(false);
  }
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(t.border1, 1));
  p.drawPath(outline);
  p.restore();
}

}  // namespace nw::ui
