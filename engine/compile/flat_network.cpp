// SPDX-License-Identifier: Apache-2.0
#include "engine/compile/flat_network.hpp"

#include "engine/compile/context.hpp"

namespace nw {
namespace {

using compiling::Context;
using compiling::FlatNode;
using compiling::never_trained;

FlatLayer layer_of(const Context& c, const FlatNode& n, const std::vector<int>& position) {
  FlatLayer layer{.type = n.type,
                  .name = n.name,
                  .attrs = n.attrs,
                  .input_shapes = n.input_shapes,
                  .shape = n.shape,
                  .weights = n.weights,
                  .blocks = n.blocks,
                  .frozen = n.frozen_epochs == never_trained,
                  .frozen_epochs = n.frozen_epochs == never_trained ? 0 : n.frozen_epochs,
                  .lr_scale = n.lr_scale};
  for (std::size_t i = 0; i < n.inputs.size(); ++i)
    layer.inputs.push_back(position[static_cast<std::size_t>(c.source(n, static_cast<int>(i)))]);
  return layer;
}

Result<FlatNetwork> flattened(Context& c) {
  compiling::read_graph(c);
  if (c.failed() || c.input < 0 || c.loss < 0) return first_error(c);
  FlatNetwork out;
  std::vector<int> position(c.nodes.size(), -1);
  for (const int i : c.order) {
    const FlatNode& n = c.nodes[static_cast<std::size_t>(i)];
    if (!n.live || i == c.loss) continue;
    position[static_cast<std::size_t>(i)] = static_cast<int>(out.layers.size());
    out.layers.push_back(layer_of(c, n, position));
  }
  const FlatNode& loss = c.nodes[static_cast<std::size_t>(c.loss)];
  out.input = position[static_cast<std::size_t>(c.input)];
  out.output = position[static_cast<std::size_t>(c.source(loss, 0))];
  out.loss = loss.type;
  out.loss_attrs = loss.attrs;
  return out;
}

}  // namespace

Result<FlatNetwork> flatten(const GraphDoc& doc, const Target& target) {
  Context c{doc, target};
  return flattened(c);
}

Result<FlatNetwork> flatten_with_opaque(const GraphDoc& doc, const Target& target) {
  Context c{doc, target};
  c.keeps_opaque = true;
  return flattened(c);
}

}  // namespace nw
