// SPDX-License-Identifier: GPL-3.0-or-later
// The library's only own code: the resources themselves are generated (see CMakeLists.txt).
#include <QString>

namespace nw::ui {

/// Folder of the embedded translations.
QString translationsFolder() { return QStringLiteral(":/i18n"); }

}  // namespace nw::ui
