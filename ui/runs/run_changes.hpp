// SPDX-License-Identifier: GPL-3.0-or-later
// What a branch changed.
#pragma once
#include <QStringList>

#include "engine/runs/index/run_record.hpp"

namespace nw::ui {

/// "Learning rate 0.4 → 0.02", "network", "data"; of settings that one of the two lacks only the names. Any thread.
QStringList changesOf(const RunRecord& parent, const RunRecord& branch);

}  // namespace nw::ui
