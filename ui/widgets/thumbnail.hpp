// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <QPainter>

namespace nw::ui {

/// Draws an image into `where`, keeping its aspect ratio; without interpolation at large scales. A null image: an empty
/// frame.
void paintThumbnail(QPainter& p, const QImage& image, const QRectF& where, qreal radius);

}  // namespace nw::ui
