// SPDX-License-Identifier: GPL-3.0-or-later
// Training runs for the screens, trained by netwright-cli. A run in progress is the same run with its events
// truncated.
#pragma once
#include <QString>

namespace nw::ui {

/// Trains LeNet-5 and a few perceptrons into `runs`, with their project files beside them; does nothing if
/// netwright-cli is not beside this program.
void trainForPictures(const QString& runs);
/// The folder of the "shapes-labels" or "shapes-values" run of trainForPictures(); lists of runs do not show it.
QString runOf(const QString& runs, const char* name);
/// The longest finished LeNet-5 run of the folder; empty if there is none.
QString finishedRun(const QString& runs);

enum class Halfway { running, paused, waiting, interrupted };
/// A copy of the run with the state after the fraction `share` of its steps. The copy exists until the program ends;
/// the program holds the lock of a running copy.
QString halfway(const QString& run, Halfway state, double share);

}  // namespace nw::ui
