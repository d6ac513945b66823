// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of the Deploy page: exports of a run that was trained here, really written and proved, and an inference
// server of it.
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* deployExport(Stage& stage);
QWidget* deployEmpty(Stage& stage);
bool exportsProved(Stage& stage);
QWidget* deployCompress(Stage& stage);
bool compressed(Stage& stage);
QWidget* deployServe(Stage& stage);
bool served(Stage& stage);
QWidget* deployTest(Stage& stage);
bool watchedAll(Stage& stage);

}  // namespace nw::ui
