// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of the Train and Runs pages: over runs that were trained here, cut where the picture wants it, and over one
// of four GPUs, which few machines have, written by the engine's own writers (tests/support/run_writer.hpp).
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* trainFinished(Stage& stage);
QWidget* trainWatched(Stage& stage);
bool watched(Stage& stage);
QWidget* trainRunning(Stage& stage);
QWidget* trainPaused(Stage& stage);
QWidget* trainLayers(Stage& stage);
bool layersShown(Stage& stage);
QWidget* trainFourGpus(Stage& stage);
QWidget* trainInterrupted(Stage& stage);
QWidget* trainEmpty(Stage& stage);
QWidget* runs(Stage& stage);
QWidget* runsEmpty(Stage& stage);
QWidget* predictEmpty(Stage& stage);
bool charted(Stage& stage);
bool listed(Stage& stage);

}  // namespace nw::ui
