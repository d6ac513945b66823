// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of fields that are searched where they stand, and of merged projects.
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* designSearched(Stage& s);
QWidget* settingsSearched(Stage& s);
QWidget* designMerged(Stage& s);
bool mergeListed(Stage& s);
QWidget* mergeDialog(Stage& s);

}  // namespace nw::ui
