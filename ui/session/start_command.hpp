// SPDX-License-Identifier: GPL-3.0-or-later
// The weights that training begins with, as one step of undo.
#pragma once
#include <QString>

#include "engine/design/start_from.hpp"

namespace nw::ui {

class Session;

/// False: refused; the sentence went out through Session::message().
bool pushStart(Session&, const StartFrom&, const QString& text);

}  // namespace nw::ui
