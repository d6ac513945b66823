// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* preferencesScreen(Stage& s);
/// The shortcut of Save is entered for the command palette, which is a conflict.
QWidget* preferencesKeyboard(Stage& s);
/// A computer that was measured on another day.
QWidget* preferencesComputer(Stage& s);
bool computerMeasured(Stage& s);

}  // namespace nw::ui
