// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of branches and of the training doctor: runs that the engine's writers write, and the dialog on a run that
// was trained here.
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* runsTree(Stage& stage);
bool treeShown(Stage& stage);
QWidget* runsGroups(Stage& stage);
bool groupsShown(Stage& stage);
QWidget* runsPinned(Stage& stage);
bool pinnedShown(Stage& stage);
QWidget* branchDialog(Stage& stage);
bool branchPlanned(Stage& stage);
QWidget* doctorPanel(Stage& stage);
bool doctorSaid(Stage& stage);

}  // namespace nw::ui
