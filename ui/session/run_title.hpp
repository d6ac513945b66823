// SPDX-License-Identifier: GPL-3.0-or-later
// The name of a run in the window.
#pragma once
#include <QString>

#include "engine/runs/run_folder.hpp"

namespace nw::ui {

/// "lenet5 a7" of ".../2026-11-21-lenet5-a7".
QString runTitle(const QString& folder);
/// The name that the user gave it, or that of its folder.
QString runTitle(const RunSummary& run);
/// The name that runs of a project have. Letters, digits and dashes: "My net 2" → "my-net-2".
QString runNameOf(const QString& project);
/// "lenet5 · a7": the project of the run and the run's title, in which the project's name is not repeated.
QString titleWithProject(const QString& project, const QString& folder);

}  // namespace nw::ui
