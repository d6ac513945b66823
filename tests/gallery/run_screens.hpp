// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of the Train and Runs pages: of runs trained here, truncated at the step a screen needs, and of a run on
// four GPUs that the engine's own writers write (tests/support/run_writer.hpp), because few machines have four.
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* trainFinished(Stage& stage);
QWidget* trainWatched(Stage& stage);
bool watched(Stage& stage);
QWidget* trainRunning(Stage& stage);
QWidget* trainPaused(Stage& stage);
QWidget* trainWaiting(Stage& stage);
QWidget* trainLayers(Stage& stage);
bool layersShown(Stage& stage);
QWidget* trainFourGpus(Stage& stage);
QWidget* trainKnobs(Stage& stage);
bool knobsWait(Stage& stage);
QWidget* trainInterrupted(Stage& stage);
QWidget* trainEmpty(Stage& stage);
QWidget* runs(Stage& stage);
QWidget* runsEmpty(Stage& stage);
QWidget* predictEmpty(Stage& stage);
bool charted(Stage& stage);
bool listed(Stage& stage);

}  // namespace nw::ui
