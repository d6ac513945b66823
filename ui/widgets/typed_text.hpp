// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace nw::ui {

/// Hands the text that is being typed in a field of `window` to its owner, as leaving the field does; the field keeps
/// the focus. A command that reads or ends the document calls it first: neither a shortcut nor the window manager's
/// Close takes the focus from a field.
void finishTyping(QWidget& window);

}  // namespace nw::ui
