// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/thumbnail.hpp"

#include <QPainterPath>

#include "ui/theme/theme.hpp"

namespace nw::ui {

Result<std::vector<QImage>> images_from(const std::vector<std::uint8_t>& payload, std::size_t count, int height,
                                        int width) {
  const std::size_t each = static_cast<std::size_t>(height) * static_cast<std::size_t>(width) * 4;
  if (height <= 0 || width <= 0 || payload.size() < each * count)
    return fail(Errc::bad_input, NW_TR("The helper sent {0} bytes instead of {1} for {2} images."), payload.size(),
                each * count, count);
  std::vector<QImage> images;
  images.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    images.push_back(QImage(payload.data() + i * each, width, height, width * 4, QImage::Format_RGBA8888).copy());
  return images;
}

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
