// SPDX-License-Identifier: GPL-3.0-or-later
// What mouse, keyboard, touchpad and drag and drop do on a canvas.
#pragma once

namespace nw::ui {

class GraphView;
class LayerDrop;

/// Gives the view its input handlers. The result lives as long as the view.
LayerDrop& installInput(GraphView& view);

}  // namespace nw::ui
