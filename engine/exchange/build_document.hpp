// SPDX-License-Identifier: Apache-2.0
// A document of imported layers: modules as blocks, blocks of one structure defined once, positions on the canvas.
// Private to engine/exchange.
#pragma once
#include "engine/exchange/module_groups.hpp"

namespace nw::exchange {

/// `loss`: the type of the loss behind the output.
Result<GraphDoc> build_document(const ReadGraph&, const std::vector<NamedLayer>&, std::string_view loss);
/// Positions for the nodes of every graph: rows by the longest way from the inputs, columns by what feeds a node.
Status place_nodes(GraphDoc&);

}  // namespace nw::exchange
