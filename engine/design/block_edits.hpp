// SPDX-License-Identifier: Apache-2.0
// Edits of reusable blocks: group, ungroup, make an instance's definition unique, parameters, share.
#pragma once
#include "engine/design/graph_doc.hpp"

namespace nw {

/// The nodes become a block called `name` (made unique), drawn once in their place. Connections from and to the outside
/// become its inputs and outputs; formulas keep their parameters. Rejected: an Input, a loss or a block's own ends;
/// nodes with a path that leaves the group and returns.
Result<Edit> group_nodes(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&, const std::string& name,
                         NodeId* made = nullptr);
/// Replaces the instance by its layers, repeats included; names, and so the names of weights, stay.
Result<Edit> ungroup_node(const GraphDoc&, const std::string& scope, NodeId instance,
                          std::vector<NodeId>* made = nullptr);
/// Gives these instances their own definition, equal to the one they shared.
Edit make_unique(const GraphDoc&, const std::string& scope, const std::vector<NodeId>& instances);
/// Renames the definition to `to`, in all instances. Rejected: an empty name, or one in use.
Result<Edit> rename_block(const GraphDoc&, const std::string& from, const std::string& to);
/// Where instances of it are drawn.
int instances_of(const GraphDoc&, const std::string& block);

/// The integer setting of a node inside a block becomes a parameter of that block with the same value everywhere.
Result<Edit> expose_setting(const GraphDoc&, const std::string& block, NodeId, const std::string& field);
Result<Edit> add_parameter(const GraphDoc&, const std::string& block, const std::string& name, std::int64_t value);
/// Replaces the parameter by its value in formulas and removes it from instances. Rejected where instances differ in
/// it.
Result<Edit> remove_parameter(const GraphDoc&, const std::string& block, const std::string& name);

/// A block with all blocks inside it, as text, as the user's palette stores it. The same form as copied layers.
std::string block_text(const GraphDoc&, const std::string& block);
/// Definitions that the document lacks, and the name under which the block is there afterwards.
struct ImportedBlock {
  Edit edit;
  std::string name;
};
Result<ImportedBlock> take_block(const GraphDoc&, std::string_view text);

}  // namespace nw
