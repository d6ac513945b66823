// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/input/key_input.hpp"

#include "ui/canvas/commands/commands.hpp"
#include "ui/canvas/editors/add_layer.hpp"
#include "ui/canvas/view/graph_view.hpp"

namespace nw::ui {

bool KeyInput::handle(QEvent& event) {
  if (event.type() == QEvent::KeyPress) return press(static_cast<QKeyEvent&>(event));
  if (event.type() == QEvent::KeyRelease) return release(static_cast<QKeyEvent&>(event));
  if (event.type() == QEvent::FocusOut) letGo();
  return false;
}

bool KeyInput::press(QKeyEvent& event) {
  Gesture* gesture = view_.gesture();
  if (gesture && event.key() == Qt::Key_Escape) {
    view_.cancel();
    return true;
  }
  if (gesture && gesture->key(&event)) {
    if (view_.gesture() && view_.gesture()->finished) view_.takeGesture();
    view_.viewport()->update();
    return true;
  }
  if (hold(event)) return true;
  const bool tab = event.key() == Qt::Key_Tab || event.key() == Qt::Key_Backtab;
  if (tab && openedAddList(view_)) return false;
  const bool ran = runKey(view_, QKeySequence(event.keyCombination()));
  event.setAccepted(ran);
  return ran || tab;  // Tab never moves the focus out of the canvas
}

bool KeyInput::hold(const QKeyEvent& event) {
  const bool pan = event.key() == Qt::Key_Space && !event.isAutoRepeat();
  if (!pan && (event.key() != Qt::Key_Y || event.modifiers() != Qt::NoModifier)) return false;
  (pan ? space_ : knife_) = true;
  view_.viewport()->setCursor(pan ? Qt::OpenHandCursor : Qt::CrossCursor);
  return true;
}

bool KeyInput::release(const QKeyEvent& event) {
  const bool ours = event.key() == Qt::Key_Space || event.key() == Qt::Key_Y;
  if (!ours || event.isAutoRepeat()) return false;
  (event.key() == Qt::Key_Y ? knife_ : space_) = false;
  view_.viewport()->unsetCursor();
  return true;
}

/// After a focus change the release of a held key is delivered to another widget.
void KeyInput::letGo() {
  if (!knife_ && !space_) return;
  knife_ = space_ = false;
  view_.viewport()->unsetCursor();
}

}  // namespace nw::ui
