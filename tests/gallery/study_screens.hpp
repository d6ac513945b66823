// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of studies, whose journals the engine writes from a simulated course (tests/support/study_writer.hpp).
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* studyRunning(Stage& stage);  // ASHA, one objective
QWidget* studyFront(Stage& stage);    // two objectives, ended; the slice instead of the shares
QWidget* studyContour(Stage& stage);
QWidget* studyList(Stage& stage);
QWidget* studiesEmpty(Stage& stage);
QWidget* searchDialog(Stage& stage);
bool studyShown(Stage& stage);
bool studiesListed(Stage& stage);
bool searchFilled(Stage& stage);

}  // namespace nw::ui
