// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of the canvas overlays: the memory estimate, node outputs, the heat overlay, the preview of a quick fix,
// the comparison of two networks.
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
