// SPDX-License-Identifier: Apache-2.0
// Reusable blocks as people make and take apart: group, ungroup, give an instance a definition of its own, parameters,
// share.
#pragma once
#include "engine/design/graph_doc.hpp"

namespace nw {

/// The nodes become a block called `name` (made free), drawn once in their place. What fed them from outside and what
/// they fed become its inputs and outputs; formulas keep their parameters. Refused: an Input, a loss or a block's own
/// ends; nodes whose signal leaves the group and comes back.
Result<Edit> group_nodes(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&, const std::string& name,
                         NodeId* made = nullptr);
/// The instance is replaced by what it stands for, repeats and all; names and so the names of weights stay.
Result<Edit> ungroup_node(const GraphDoc&, const std::string& scope, NodeId instance,
                          std::vector<NodeId>* made = nullptr);
/// These instances get a definition of their own, equal to the one they shared.
Edit make_unique(const GraphDoc&, const std::string& scope, const std::vector<NodeId>& instances);
/// The definition is called `to` from now on, in all instances. Refused: no name, or taken.
Result<Edit> rename_block(const GraphDoc&, const std::string& from, const std::string& to);
/// Where instances of it are drawn.
int instances_of(const GraphDoc&, const std::string& block);

/// The whole-number setting of a node inside a block becomes a parameter of that block with the same value everywhere.
Result<Edit> expose_setting(const GraphDoc&, const std::string& block, NodeId, const std::string& field);
Result<Edit> add_parameter(const GraphDoc&, const std::string& block, const std::string& name, std::int64_t value);
/// Formulas get its value in its place; instances forget theirs. Refused where instances differ in it.
Result<Edit> remove_parameter(const GraphDoc&, const std::string& block, const std::string& name);

/// A block with all that it contains, as text: what the user's palette keeps. The same form as copied layers.
std::string block_text(const GraphDoc&, const std::string& block);
/// Definitions that the document lacks, and the name under which the block is there afterwards.
struct ImportedBlock {
  Edit edit;
  std::string name;
};
Result<ImportedBlock> take_block(const GraphDoc&, std::string_view text);

}  // namespace nw
