// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/looks.hpp"

namespace nw::ui {
namespace {

const char* nameOf(ThemeMode mode) {
  return mode == ThemeMode::dark ? "dark" : mode == ThemeMode::contrast ? "contrast" : "light";
}

}  // namespace

QString Look::name() const {
  return QStringLiteral("-%1-%2-%3").arg(QLatin1String(nameOf(mode)), QLatin1String(chinese ? "zh" : "en"), scale);
}

QList<Look> looksOf(const QString& scale, bool chinese, bool all) {
  const bool whole = scale == QLatin1String("100");
  QList<Look> looks{{ThemeMode::light, chinese, scale}, {ThemeMode::dark, chinese, scale}};
  if (chinese == whole) looks.swapItemsAt(0, 1);
  if (all || (whole && !chinese)) looks << Look{ThemeMode::contrast, chinese, scale};
  return looks;
}

}  // namespace nw::ui
