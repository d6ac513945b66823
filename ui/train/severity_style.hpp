// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of a severity: "ok", "warn", "error", "accent", "best"; any other value gives the muted colour.
#pragma once
#include <QColor>
#include <QString>

#include "ui/theme/theme.hpp"

namespace nw::ui {

struct SeverityRow {
  const char* name;
  QColor Theme::*colour;
  QColor Theme::*soft;
};
inline constexpr SeverityRow severity_rows[] = {{"ok", &Theme::ok, &Theme::okSoft},
                                                {"warn", &Theme::warn, &Theme::warnSoft},
                                                {"error", &Theme::error, &Theme::errorSoft},
                                                {"accent", &Theme::accentText, &Theme::accentSoft}};

inline QColor severityColour(const QString& tone) {
  for (const SeverityRow& row : severity_rows)
    if (tone == QLatin1String(row.name)) return theme().*row.colour;
  return tone == QLatin1String("best") ? theme().series[1] : theme().text2;
}
inline QColor severityBackground(const QString& tone) {
  for (const SeverityRow& row : severity_rows)
    if (tone == QLatin1String(row.name)) return theme().*row.soft;
  return theme().sunken;
}

}  // namespace nw::ui
