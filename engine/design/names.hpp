// SPDX-License-Identifier: Apache-2.0
// The rules for names in a document, and checks of a graph that files and edits have in common. Private to
// engine/design.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "engine/design/graph_doc.hpp"

namespace nw {

inline constexpr std::size_t name_limit = 200;
inline constexpr int port_limit = 4096;
inline constexpr std::size_t ports_limit = 400'000;  // inputs of all layers of a graph

/// Letters of any script and _ first; then also digits and "."; valid UTF-8 of at most name_limit bytes. No spaces,
/// punctuation, symbols, controls or marks of writing direction, so that a name can be printed as it is.
bool is_name(std::string_view name);
/// The name that differs least from `typed`: each other character becomes _, and _ comes first where no name begins so;
/// empty if nothing of `typed` can stay.
std::string nearest_name(std::string_view typed);
/// [A-Za-z_][A-Za-z0-9_]*, at most name_limit bytes: a name that formulas can contain.
bool is_identifier(std::string_view name);
/// The name of the block of an instance; empty for other nodes.
std::string block_of(const Node& node);
/// A block that contains itself, directly or through other blocks; empty if there is none.
std::string cyclic_block(const std::map<std::string, Block>& blocks);
/// The reason why `graph` is invalid in a document (invalid or duplicate names, connections without nodes, NaN); empty
/// if it is valid.
Text fault_of(const Graph& graph);
Text fault_of(const Node& node);

}  // namespace nw
