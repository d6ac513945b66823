// SPDX-License-Identifier: Apache-2.0
// The JSON form of nodes and graphs; shared by the project file and the clipboard. Private to engine/design.
#pragma once
#include "engine/core/json.hpp"
#include "engine/design/graph_doc.hpp"

namespace nw {

/// Limits of input files, far above any real network.
inline constexpr std::size_t node_limit = 100'000, connection_limit = 400'000, item_limit = 10'000, block_limit = 1'000,
                             parameter_limit = 64, attr_limit = 256;

Json to_json(const Graph&);
Json to_json(const Block&);
/// Parses and checks names, ids and connections. `nodes_left` is decreased, so that all graphs of a file share one
/// limit.
Result<Graph> graph_from_json(const Json&, const std::string& where, std::size_t& nodes_left);
Result<std::map<std::string, Block>> blocks_from_json(const Json&, const std::string& where, std::size_t& nodes_left);

/// The members of the object `read` that `known` lacks, also in nested objects: {"/data/new_key": value}.
Json beyond(const Json& read, const Json& known);
/// Adds the members found by beyond() again, if the objects that contained them still exist.
void put_back(Json& into, const Json& extra);

}  // namespace nw
