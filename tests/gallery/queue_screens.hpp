// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of the queue, whose journal the engine writes.
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* queueFilled(Stage& stage);
QWidget* queueEmpty(Stage& stage);
bool queueListed(Stage& stage);

}  // namespace nw::ui
