// SPDX-License-Identifier: GPL-3.0-or-later
// Screen readers see the canvas with its nodes as children: "Conv2d conv2, 3 of 9, output 16×10×10, error: …".
#pragma once

namespace nw::ui {

/// Once per program; further calls do nothing.
void installCanvasAccessibility();

}  // namespace nw::ui
