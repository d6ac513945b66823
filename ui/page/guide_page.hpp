// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace nw::ui {

/// The property with the page of the user guide for a widget and all below it, where it depends on what the widget
/// shows: "layers/Conv2d". The other places are a table in ui/shell/help/guide_pages.cpp.
inline constexpr const char* guidePageProperty = "nwGuidePage";

}  // namespace nw::ui
