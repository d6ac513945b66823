// SPDX-License-Identifier: GPL-3.0-or-later
// A name or a note edited where it stands. Enter (for a note: leaving it) takes the text over, Esc leaves it as it was.
#pragma once
#include <QRectF>
#include <QString>
#include <functional>

namespace nw::ui {

class GraphView;

void editInPlace(GraphView& view, const QRectF& scene, const QString& text, bool manyLines,
                 std::function<void(const QString&)> done);

}  // namespace nw::ui
