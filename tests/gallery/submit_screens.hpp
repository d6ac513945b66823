// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of "Run elsewhere…": the dialog with each target, and the jobs that were submitted.
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* submitHere(Stage& stage);
QWidget* submitSsh(Stage& stage);
QWidget* submitSlurm(Stage& stage);
QWidget* submitKubernetes(Stage& stage);
QWidget* submitWrong(Stage& stage);
QWidget* jobsListed(Stage& stage);
bool jobsShown(Stage& stage);

}  // namespace nw::ui
