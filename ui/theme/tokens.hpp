// SPDX-License-Identifier: GPL-3.0-or-later
// The three tables of tokens behind theme().
#pragma once
#include "ui/theme/theme.hpp"

namespace nw::ui {

Theme lightTheme();
Theme darkTheme();
Theme contrastTheme();

}  // namespace nw::ui
