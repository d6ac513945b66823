// SPDX-License-Identifier: GPL-3.0-or-later
// A screen reader's action on a button is a click, also if the button can be checked. Qt's own only checks such a
// button: a slot of clicked() or a tool button's action does not learn of it.
#pragma once

namespace nw::ui {

/// Once per program, after the application is made; further calls do nothing. Tool buttons with a menu stay Qt's.
void installButtonAccessibility();

}  // namespace nw::ui
