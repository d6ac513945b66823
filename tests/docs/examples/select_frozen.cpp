// SPDX-License-Identifier: GPL-3.0-or-later
// Selects every frozen layer of the scope. In docs/adding.md.
#include "tests/docs/examples/window.hpp"

namespace nw::ui {

void selectFrozen(GraphView& view) {
  std::vector<NodeId> frozen;
  for (const auto& [id, node] : view.graph().graph().nodes)
    if (node.frozen) frozen.push_back(id);
  view.graph().selection().selectOnly(frozen);
}

const CanvasCommand select_frozen{"select-frozen", QT_TRANSLATE_NOOP("canvas", "Select frozen layers"), "Ctrl+Alt+F",
                                  selectFrozen};

}  // namespace nw::ui
