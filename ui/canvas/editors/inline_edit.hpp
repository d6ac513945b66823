// SPDX-License-Identifier: GPL-3.0-or-later
// Editing a name or a note in place. Enter (for a note: losing focus) applies the text, Esc discards it. A refused text
// stays, with the reason below it, until it is changed, discarded, or what it names is gone.
#pragma once
#include <QRectF>
#include <QString>
#include <functional>
#include <optional>

#include "ui/canvas/edits/scene_edits.hpp"

namespace nw::ui {

class GraphView;

struct InPlaceEdit {
  /// In scene coordinates, while the present scope is shown; nullopt: what is edited is gone.
  std::function<std::optional<QRectF>()> where;
  QString text;
  bool manyLines = false;
  std::function<Refusal(const QString&)> apply;
};
/// Where a rejected text is still open, that one gets the focus instead.
void editInPlace(GraphView& view, InPlaceEdit edit);

}  // namespace nw::ui
