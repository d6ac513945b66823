// SPDX-License-Identifier: GPL-3.0-or-later
// The interface of the handlers that a view passes its events to.
#pragma once
#include <QEvent>

namespace nw::ui {

class InputHandler {
 public:
  virtual ~InputHandler() = default;
  /// Positions are in viewport coordinates. True: the event is consumed, and neither the handlers added later nor the
  /// base class of the view receive it.
  virtual bool handle(QEvent& event) = 0;
};

}  // namespace nw::ui
