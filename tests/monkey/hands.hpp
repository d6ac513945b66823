// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keys, sent to a window piece by piece: what one piece does may destroy the window, as a change of the
// language does, or the end of a dialog that waited. QTest's own keys with modifiers would then go to a window that is
// gone.
#pragma once
#include <QPoint>
#include <QPointer>
#include <QWindow>
#include <cstdint>
#include <functional>

namespace nw::ui {

struct Key {
  int key;
  int modifiers;
};
/// A row of the table of keys.
const Key& keyOf(std::uint32_t n);

using AWindow = QPointer<QWindow>;

/// Presses and releases the modifiers and the key, as long as the window lives.
void pressKey(AWindow window, const Key& key);
/// The characters one after another, each into the window that `receiver` names.
void typeText(const QString& text, const std::function<QWindow*()>& receiver);
void clickAt(const AWindow& window, Qt::MouseButton button, Qt::KeyboardModifiers held, QPoint at);
/// The second press comes in time for a double click.
void doubleClickAt(const AWindow& window, Qt::KeyboardModifiers held, QPoint at);
/// Both places in the window's coordinates.
void dragBetween(const AWindow& window, QPoint from, QPoint to);

}  // namespace nw::ui
