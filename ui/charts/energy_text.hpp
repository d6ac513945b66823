// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace nw::ui {

/// "12.4 Wh", "1.3 kWh" for joules; empty where it is not known (0 or less).
inline QString energyText(double joules) {
  constexpr double joules_per_wh = 3600;
  const double wh = joules / joules_per_wh;
  if (!(wh > 0)) return {};
  return wh < 1000 ? QStringLiteral("%1 Wh").arg(wh, 0, 'g', 3) : QStringLiteral("%1 kWh").arg(wh / 1000, 0, 'g', 3);
}

}  // namespace nw::ui
