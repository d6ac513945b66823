// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractSlider>
#include <QScrollBar>

#include "tests/monkey/invariants.hpp"

namespace nw::ui {

/// What a mouse or a finger has to hit. Not bars that scroll: wheel, keys and the view itself scroll too.
inline bool isHandled(const QWidget* w) {
  return isInputControl(w) || (qobject_cast<const QAbstractSlider*>(w) && !qobject_cast<const QScrollBar*>(w));
}

/// The part of a widget that nothing around it cuts off, in the coordinates of `window`.
inline QRect seenPart(const QWidget& window, const QWidget& w) {
  QRect seen(w.mapTo(&window, QPoint()), w.size());
  for (const QWidget* up = w.parentWidget(); up && up != &window; up = up->parentWidget())
    seen &= QRect(up->mapTo(&window, QPoint()), up->size());
  return w.isVisible() ? seen & window.rect() : QRect();
}

}  // namespace nw::ui
