// SPDX-License-Identifier: GPL-3.0-or-later
// Screen readers see the canvas with layers (ports inside) and connections as children: "Conv2d conv2, 3 of 9, output
// 16×10×10".
#pragma once

namespace nw::ui {

/// Once per program; further calls do nothing.
void installCanvasAccessibility();

}  // namespace nw::ui
