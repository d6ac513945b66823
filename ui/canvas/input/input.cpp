// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/input/input.hpp"

#include "ui/canvas/input/key_input.hpp"
#include "ui/canvas/input/layer_drop.hpp"
#include "ui/canvas/input/pointer_input.hpp"
#include "ui/canvas/input/scroll_input.hpp"
#include "ui/canvas/view/graph_view.hpp"

namespace nw::ui {

LayerDrop& installInput(GraphView& view) {
  auto keys = std::make_unique<KeyInput>(view);
  auto drop = std::make_unique<LayerDrop>(view);
  LayerDrop& result = *drop;
  auto pointer = std::make_unique<PointerInput>(view, *keys);
  view.addInput(std::move(keys));
  view.addInput(std::make_unique<ScrollInput>(view));
  view.addInput(std::move(pointer));
  view.addInput(std::move(drop));
  return result;
}

}  // namespace nw::ui
