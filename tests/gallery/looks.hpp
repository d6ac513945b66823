// SPDX-License-Identifier: GPL-3.0-or-later
// The looks that screens are painted in: theme, language and scale.
#pragma once
#include <QList>
#include <QString>

#include "ui/theme/theme.hpp"

namespace nw::ui {

struct Look {
  ThemeMode mode;
  bool chinese;
  QString scale;  // in percent
  /// "-light-en-100", the end of the picture's name.
  QString name() const;
  /// The committed text forms are of this look: its font is the program's own.
  bool isFirst() const { return name() == QLatin1String("-light-en-100"); }
};

/// The themes of a language and a scale. A window is made in the first one and painted in the others too, as when its
/// user chooses another theme: windows are made in light and dark equally often. `all`: every one; else high contrast
/// at 100 % in English alone.
QList<Look> looksOf(const QString& scale, bool chinese, bool all);

}  // namespace nw::ui
