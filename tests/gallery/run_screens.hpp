// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of the Train and Runs pages over run folders that the engine's own writers made (tests/support/run_writer.hpp).
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* trainRunning(Stage& stage);
QWidget* trainFourGpus(Stage& stage);
QWidget* trainInterrupted(Stage& stage);
QWidget* trainEmpty(Stage& stage);
QWidget* manyRuns(Stage& stage);
bool charted(Stage& stage);
bool listed(Stage& stage);

}  // namespace nw::ui
