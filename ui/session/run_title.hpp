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

}  // namespace nw::ui
