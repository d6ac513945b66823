// SPDX-License-Identifier: Apache-2.0
// Formulas over a block's parameters ("$filters*2") as text: the parameters they contain, and substitution of values.
// Private to engine/design.
#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "engine/design/graph_doc.hpp"

namespace nw {

/// [A-Za-z_][A-Za-z0-9_]*: a valid parameter name after "$".
bool is_parameter_name(std::string_view name);
/// The parameters that the attributes of a node contain.
std::set<std::string> parameters_in(const Node& node);
/// Replaces each "$name" by its text in `values`; a formula without remaining parameters is replaced by its number.
void put_values(Node& node, const std::map<std::string, std::string>& values);
/// The first unused of "Block", "Block2", …
std::string free_block_name(const GraphDoc& doc, std::string stem);

}  // namespace nw
