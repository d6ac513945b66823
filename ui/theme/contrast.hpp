// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <cmath>

namespace nw::ui {

/// Black or white, whichever has the higher contrast on the colour (WCAG's relative luminance): at least 4.5.
inline QColor blackOrWhiteOn(const QColor& ground) {
  const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  const double luminance =
      0.2126 * linear(ground.redF()) + 0.7152 * linear(ground.greenF()) + 0.0722 * linear(ground.blueF());
  return luminance > 0.179 ? QColor(Qt::black) : QColor(Qt::white);
}

}  // namespace nw::ui
