// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/commands/freeze_command.hpp"

#include <algorithm>

#include "engine/design/layer_type.hpp"
#include "engine/design/rewire.hpp"
#include "ui/canvas/edits/edit_chain.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/view/graph_view.hpp"

namespace nw::ui {
namespace {

bool canFreeze(const Node& node) {
  const LayerType* type = find_layer(node.type);
  return node.type == "Block" || (type && type->weights);
}

}  // namespace

void freezeUpToHere(GraphView& view) {
  GraphScene& scene = view.graph();
  const Graph& graph = scene.graph();
  std::set<NodeId> trunk;
  for (const NodeId id : scene.selection().nodes()) trunk.merge(upstream(graph, id));
  const bool is_so = std::all_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& entry) {
    return !canFreeze(entry.second) || entry.second.frozen == trunk.contains(entry.first);
  });
  EditChain chain(scene.doc());
  for (const auto& [id, node] : graph.nodes) {
    const bool frozen = !is_so && trunk.contains(id);
    if (!canFreeze(node) || node.frozen == frozen) continue;
    Node changed = node;
    changed.frozen = frozen;
    if (frozen) changed.frozen_epochs = 0;
    chain.add({PutNode{scene.scope(), id, changed}});
  }
  push(scene, chain, QT_TRANSLATE_NOOP("canvas", "Freeze up to here"));
}

}  // namespace nw::ui
