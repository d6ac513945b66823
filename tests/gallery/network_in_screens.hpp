// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of networks and weights that come in, and of blocks in the user's palette.
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* designOpaque(Stage& s);
QWidget* designMyBlocks(Stage& s);
QWidget* weightMatches(Stage& s);
QWidget* tableTargets(Stage& s);
QWidget* saveBlockScreen(Stage& s);

}  // namespace nw::ui
