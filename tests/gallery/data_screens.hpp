// SPDX-License-Identifier: GPL-3.0-or-later
// Screens for importing data: downloads and the explorer.
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* getDataScreen(Stage& s);
QWidget* getDataRunning(Stage& s);
bool dataDownloadRuns(Stage& s);
QWidget* getDataFailed(Stage& s);
bool dataDownloadFailed(Stage& s);
/// A folder of photos opened while a project is open.
QWidget* photos(Stage& s);
bool photosCounted(Stage& s);
QWidget* explorerScreen(Stage& s);
bool explorerFilled(Stage& s);

}  // namespace nw::ui
