// SPDX-License-Identifier: GPL-3.0-or-later
// Wheel and touchpad: the wheel zooms, with Shift it scrolls sideways; two fingers scroll, pinching zooms.
#pragma once
#include <QNativeGestureEvent>
#include <QWheelEvent>

#include "ui/canvas/view/input_handler.hpp"

namespace nw::ui {

class GraphView;

class ScrollInput final : public InputHandler {
 public:
  explicit ScrollInput(GraphView& view) : view_(view) {}
  bool handle(QEvent& event) override;

 private:
  void wheel(QWheelEvent& event);
  bool touchpad(const QNativeGestureEvent& event);
  GraphView& view_;
};

}  // namespace nw::ui
