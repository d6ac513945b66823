// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas's handling of mouse, keyboard, touchpad and drag and drop.
#pragma once

namespace nw::ui {

class GraphView;
class LayerDrop;

/// Gives the view its input handlers. The result lives as long as the view.
LayerDrop& installInput(GraphView& view);

}  // namespace nw::ui
