// SPDX-License-Identifier: GPL-3.0-or-later
// The name by which people know a run.
#pragma once
#include <QString>

namespace nw::ui {

/// "lenet5 a7" of ".../2026-11-21-lenet5-a7".
QString runTitle(const QString& folder);

}  // namespace nw::ui
