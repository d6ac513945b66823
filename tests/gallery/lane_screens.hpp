// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of the lanes of a pipeline.
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

/// ResNet-18 on four lanes, at the sizes of the design's picture and of a small screen.
const std::vector<Screen>& laneScreens();

}  // namespace nw::ui
