// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of several devices: the plan for more of them, and what those of a run do.
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* moreDevices(Stage& stage);
bool devicesPlanned(Stage& stage);
QWidget* trainRanks(Stage& stage);
bool ranksShown(Stage& stage);

}  // namespace nw::ui
