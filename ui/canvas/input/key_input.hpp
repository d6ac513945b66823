// SPDX-License-Identifier: GPL-3.0-or-later
// Keys on the canvas: keys of the active gesture, keys held for panning and cutting, and the commands' keys.
#pragma once
#include <QKeyEvent>

#include "ui/canvas/view/input_handler.hpp"

namespace nw::ui {

class GraphView;

class KeyInput final : public InputHandler {
 public:
  explicit KeyInput(GraphView& view) : view_(view) {}
  bool handle(QEvent& event) override;
  /// While Space is held, the left button pans; while Y is held, it cuts connections.
  bool pans() const { return space_; }
  bool cuts() const { return knife_; }

 private:
  bool press(QKeyEvent& event);
  bool hold(const QKeyEvent& event);
  bool release(const QKeyEvent& event);
  void letGo();
  GraphView& view_;
  bool space_ = false, knife_ = false;
};

}  // namespace nw::ui
