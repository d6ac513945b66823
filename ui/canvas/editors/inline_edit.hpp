// SPDX-License-Identifier: GPL-3.0-or-later
// Editing a name or a note in place. Enter (for a note: losing focus) applies the text, Esc discards it.
#pragma once
#include <QRectF>
#include <QString>
#include <functional>

namespace nw::ui {

class GraphView;

void editInPlace(GraphView& view, const QRectF& scene, const QString& text, bool manyLines,
                 std::function<void(const QString&)> done);

}  // namespace nw::ui
