// SPDX-License-Identifier: Apache-2.0
// The rules for names in a document, and checks of a graph that files and edits share. Private to engine/design.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "engine/design/graph_doc.hpp"

namespace nw {

inline constexpr std::size_t name_limit = 200;
inline constexpr int port_limit = 4096;

/// [A-Za-z_][A-Za-z0-9_.]*, at most name_limit bytes.
bool is_name(std::string_view name);
/// The name of the block that an instance shows, or empty.
std::string block_of(const Node& node);
/// A block that contains itself through any number of others, or empty.
std::string cyclic_block(const std::map<std::string, Block>& blocks);
/// Empty, or why `graph` cannot be part of a document: invalid or duplicate names, connections without ends, NaN.
Text fault_of(const Graph& graph);
Text fault_of(const Node& node);

}  // namespace nw
