// SPDX-License-Identifier: GPL-3.0-or-later
// Cached renderings of repeated elements: painted once per scale and theme, then copied. Raster painters only; vector
// painters (a diagram exported as SVG or PDF) receive the drawing commands themselves.
#pragma once
#include <QPainter>
#include <functional>

namespace nw::ui {

/// `draw` paints the area `where` (logical coordinates of `p`). `key` identifies all that the rendering depends on but
/// theme, scale and pixel ratio. The copy is aligned to device pixels. GUI thread.
void paintCached(QPainter& p, const QString& key, const QRectF& where, const std::function<void(QPainter&)>& draw);

/// Number of renderings painted since the program started; tests use it to detect copies.
qint64 cachedRenderings();

}  // namespace nw::ui
