// SPDX-License-Identifier: Apache-2.0
// Formulas over a block's parameters ("$filters*2") as text: which parameters they name, and values put in their place.
// Private to engine/design.
#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "engine/design/graph_doc.hpp"

namespace nw {

/// [A-Za-z_][A-Za-z0-9_]*: what may follow "$".
bool is_parameter_name(std::string_view name);
/// The parameters that the settings of a node name.
std::set<std::string> parameters_in(const Node& node);
/// Each "$name" becomes the text it has in `values`; a formula that names none any more becomes its number.
void put_values(Node& node, const std::map<std::string, std::string>& values);
/// "Block", "Block2", …: the stem itself if it is unused.
std::string free_block_name(const GraphDoc& doc, std::string stem);

}  // namespace nw
