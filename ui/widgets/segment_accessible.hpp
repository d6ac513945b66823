// SPDX-License-Identifier: GPL-3.0-or-later
// Screen readers see a SegmentedControl as a list of tabs that can be chosen.
#pragma once

namespace nw::ui {

/// Once per program; further calls do nothing.
void installSegmentAccessibility();

}  // namespace nw::ui
