// SPDX-License-Identifier: GPL-3.0-or-later
// For widgets that paint their words: a text that is shortened is shown whole where the pointer rests on it.
#pragma once
#include <QRectF>
#include <QString>

class QPainter;

namespace nw::ui {

/// The text in the painter's font as far as it fits into the width of `where`, with "…" in place of the rest; then the
/// widget that is being painted has the whole text as a tool tip at `where`, in the painter's coordinates, until it
/// paints that place again. Not for viewports, which move what they have painted. GUI thread.
QString shortenedText(QPainter& p, const QRectF& where, const QString& text, Qt::TextElideMode mode = Qt::ElideRight);

}  // namespace nw::ui
