// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of what looks the same in many places: painted once per scale and theme, then copied. Raster painters only;
// others (a drawing exported as SVG or PDF) get the strokes themselves.
#pragma once
#include <QPainter>
#include <functional>

namespace nw::ui {

/// `draw` paints what lies in `where` (logical coordinates of `p`). `key` names everything the picture depends on but
/// theme, scale and pixel ratio. The copy lands on whole pixels of the device. GUI thread.
void paintCached(QPainter& p, const QString& key, const QRectF& where, const std::function<void(QPainter&)>& draw);

/// How many pictures were painted anew since the program started; for tests that want to see copies.
qint64 cachedRenderings();

}  // namespace nw::ui
