// SPDX-License-Identifier: GPL-3.0-or-later
// What a word's tone looks like: "ok", "warn", "error", "accent", "best"; anything else is quiet.
#pragma once
#include <QColor>
#include <QString>

#include "ui/theme/theme.hpp"

namespace nw::ui {

struct ToneRow {
  const char* name;
  QColor Theme::*colour;
  QColor Theme::*soft;
};
inline constexpr ToneRow tone_rows[] = {{"ok", &Theme::ok, &Theme::okSoft},
                                        {"warn", &Theme::warn, &Theme::warnSoft},
                                        {"error", &Theme::error, &Theme::errorSoft},
                                        {"accent", &Theme::accentText, &Theme::accentSoft}};

inline QColor toneColour(const QString& tone) {
  for (const ToneRow& row : tone_rows)
    if (tone == QLatin1String(row.name)) return theme().*row.colour;
  return tone == QLatin1String("best") ? theme().series[1] : theme().text2;
}
inline QColor toneSoft(const QString& tone) {
  for (const ToneRow& row : tone_rows)
    if (tone == QLatin1String(row.name)) return theme().*row.soft;
  return theme().sunken;
}

}  // namespace nw::ui
