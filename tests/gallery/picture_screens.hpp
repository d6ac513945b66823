// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of what the canvas shows beside the drawing: whether it will fit, outputs, heat, what a repair would do,
// differences.
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* designFit(Stage&);
bool fitKnown(Stage&);
QWidget* designOutputs(Stage&);
bool outputsShown(Stage&);
QWidget* designHeatmap(Stage&);
QWidget* designGradients(Stage&);
bool gradientsShown(Stage&);
QWidget* designRepair(Stage&);
bool repairShown(Stage&);
QWidget* compareScreen(Stage&);

}  // namespace nw::ui
