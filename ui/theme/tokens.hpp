// SPDX-License-Identifier: GPL-3.0-or-later
// The two tables of tokens behind theme().
#pragma once
#include "ui/theme/theme.hpp"

namespace nw::ui {

Theme lightTheme();
Theme darkTheme();

}  // namespace nw::ui
