// SPDX-License-Identifier: Apache-2.0
// The JSON form of nodes and graphs; shared by the project file and the clipboard. Private to engine/design.
#pragma once
#include "engine/core/json.hpp"
#include "engine/design/graph_doc.hpp"

namespace nw {

/// Limits of input, far above any drawing.
inline constexpr std::size_t node_limit = 100'000, connection_limit = 400'000, item_limit = 10'000, block_limit = 1'000,
                             parameter_limit = 64, attr_limit = 256;

Json to_json(const Graph&);
Json to_json(const Block&);
/// Fully checked: names, ids, connections. `nodes_left` is reduced, so that all graphs of a file share one limit.
Result<Graph> graph_from_json(const Json&, const std::string& where, std::size_t& nodes_left);
Result<std::map<std::string, Block>> blocks_from_json(const Json&, const std::string& where, std::size_t& nodes_left);

/// What the object `read` holds beyond `known`, objects inside objects too: {"/data/new_key": value}.
Json beyond(const Json& read, const Json& known);
/// Puts back what beyond() found, where the objects it belonged to are still there.
void put_back(Json& into, const Json& extra);

}  // namespace nw
