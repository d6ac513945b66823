// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/hands.hpp"

#include <QCoreApplication>
#include <QTest>
#include <iterator>

namespace nw::ui {
namespace {

constexpr Key keys[] = {
    {Qt::Key_Delete, 0},
    {Qt::Key_Delete, Qt::ControlModifier},
    {Qt::Key_Backspace, 0},
    {Qt::Key_Return, 0},
    {Qt::Key_Return, 0},
    {Qt::Key_Escape, 0},
    {Qt::Key_Escape, 0},
    {Qt::Key_Tab, 0},
    {Qt::Key_Backtab, Qt::ShiftModifier},
    {Qt::Key_Space, 0},
    {Qt::Key_Up, 0},
    {Qt::Key_Down, 0},
    {Qt::Key_Left, 0},
    {Qt::Key_Right, 0},
    {Qt::Key_Right, Qt::ShiftModifier},
    {Qt::Key_Down, Qt::ControlModifier},
    {Qt::Key_Home, 0},
    {Qt::Key_End, 0},
    {Qt::Key_PageDown, 0},
    {Qt::Key_PageUp, 0},
    {Qt::Key_Z, Qt::ControlModifier},
    {Qt::Key_Z, Qt::ControlModifier},
    {Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier},
    {Qt::Key_A, Qt::ControlModifier},
    {Qt::Key_D, Qt::ControlModifier},
    {Qt::Key_G, Qt::ControlModifier},
    {Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier},
    {Qt::Key_C, Qt::ControlModifier},
    {Qt::Key_X, Qt::ControlModifier},
    {Qt::Key_V, Qt::ControlModifier},
    {Qt::Key_F, Qt::ControlModifier},
    {Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier},
    {Qt::Key_F2, 0},
    {Qt::Key_F6, 0},
    {Qt::Key_F10, 0},
    {Qt::Key_Slash, 0},
    {Qt::Key_M, 0},
    {Qt::Key_H, 0},
    {Qt::Key_W, 0},
    {Qt::Key_C, 0},
    {Qt::Key_C, Qt::ShiftModifier},
    {Qt::Key_O, 0},
    {Qt::Key_L, 0},
    {Qt::Key_X, 0},
    {Qt::Key_1, 0},
    {Qt::Key_9, 0},
    {Qt::Key_Menu, 0},
    {Qt::Key_A, Qt::ShiftModifier},
};

struct Modifier {
  Qt::KeyboardModifier modifier;
  Qt::Key key;
};
constexpr Modifier modifier_keys[] = {{Qt::ShiftModifier, Qt::Key_Shift}, {Qt::ControlModifier, Qt::Key_Control}};

void sendKey(const AWindow& window, bool down, int key, Qt::KeyboardModifiers held, const QString& text = {}) {
  if (window) QTest::simulateEvent(window.data(), down, key, held, text, false);
}

}  // namespace

const Key& keyOf(std::uint32_t n) { return keys[n % std::size(keys)]; }

void pressKey(AWindow window, const Key& key) {
  QCoreApplication::processEvents();  // what waits may be a new window
  const Qt::KeyboardModifiers all(key.modifiers);
  Qt::KeyboardModifiers held;
  for (const Modifier& m : modifier_keys) {
    if (!(all & m.modifier)) continue;
    sendKey(window, true, m.key, held);
    held |= m.modifier;
  }
  const char letter = QTest::keyToAscii(static_cast<Qt::Key>(key.key));
  const QString text = letter ? QString(QLatin1Char(letter)) : QString();
  for (const bool down : {true, false}) sendKey(window, down, key.key, held, text);
  for (auto m = std::rbegin(modifier_keys); m != std::rend(modifier_keys); ++m)
    if (all & m->modifier) sendKey(window, false, m->key, held), held &= ~Qt::KeyboardModifiers(m->modifier);
}

void typeText(const QString& text, const std::function<QWindow*()>& receiver) {
  for (const QChar c : text) sendKey(receiver(), true, Qt::Key_unknown, {}, QString(c));
}

void clickAt(const AWindow& window, Qt::MouseButton button, Qt::KeyboardModifiers held, QPoint at) {
  if (window) QTest::mousePress(window, button, held, at);
  if (window) QTest::mouseRelease(window, button, held, at);
}

void doubleClickAt(const AWindow& window, Qt::KeyboardModifiers held, QPoint at) {
  if (window) QTest::mouseEvent(QTest::MouseDClick, window, Qt::LeftButton, held, at);
  if (window) QTest::mouseRelease(window, Qt::LeftButton, held, at);
}

void dragBetween(const AWindow& window, QPoint from, QPoint to) {
  const auto act = [&](QTest::MouseAction action, QPoint at) {
    if (window) QTest::mouseEvent(action, window, action == QTest::MouseMove ? Qt::NoButton : Qt::LeftButton, {}, at);
  };
  act(QTest::MouseMove, from);
  act(QTest::MousePress, from);
  for (const double share : {0.1, 0.5, 1.0}) act(QTest::MouseMove, from + (to - from) * share);
  act(QTest::MouseRelease, to);
}

}  // namespace nw::ui
