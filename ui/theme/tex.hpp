// SPDX-License-Identifier: GPL-3.0-or-later
// Words as TeX's source.
#pragma once
#include <QString>

namespace nw::ui {

/// One line with TeX's special characters escaped, and the signs that drawings have as formulas. Letters of other
/// scripts stay: XeLaTeX and LuaLaTeX set them.
QString texOf(const QString& text);

}  // namespace nw::ui
