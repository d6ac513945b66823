// SPDX-License-Identifier: GPL-3.0-or-later
// Decoding and drawing thumbnails received from the helper process.
#pragma once
#include <QImage>
#include <QPainter>
#include <vector>

#include "kernels/result.hpp"

namespace nw::ui {

/// Images from a response's payload: `count` times height×width RGBA, one after another.
Result<std::vector<QImage>> images_from(const std::vector<std::uint8_t>& payload, std::size_t count, int height,
                                        int width);
/// Draws an image into `where`, keeping its shape; sharp pixels when it is enlarged a lot. A null image: an empty well.
void paintThumbnail(QPainter& p, const QImage& image, const QRectF& where, qreal radius);

}  // namespace nw::ui
