// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that were really trained, for the pictures: netwright-cli trains them; what a run looked like halfway is the
// same run with its events cut there.
#pragma once
#include <QString>

namespace nw::ui {

/// Trains LeNet-5 and a few perceptrons into `runs`, with their project files beside; where there is no netwright-cli
/// beside this program it makes nothing.
void trainForPictures(const QString& runs);
/// Where trainForPictures() puts its run of "shapes-labels" or "shapes-values", which lists of runs do not show.
QString runOf(const QString& runs, const char* name);
/// The longest finished LeNet-5 of the folder; empty when there is none.
QString finishedRun(const QString& runs);

enum class Halfway { running, paused, interrupted };
/// The run as it was after `share` of its steps. The copy lives as long as the program, which holds the lock of a live
/// one.
QString halfway(const QString& run, Halfway state, double share);

}  // namespace nw::ui
