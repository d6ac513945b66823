// SPDX-License-Identifier: Apache-2.0
// Edits of blocks: group, ungroup, give an instance its own definition, parameters, share.
#pragma once
#include "engine/design/graph_doc.hpp"

namespace nw {

/// Replaces the nodes by an instance of a new block called `name` (made unique). Connections from and to other nodes
/// become its inputs and outputs; formulas keep their parameters. Rejected: an Input, a loss or a block's own
/// BlockInput and BlockOutput; nodes with a path that leaves the group and enters it again.
Result<Edit> group_nodes(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&, const std::string& name,
                         NodeId* made = nullptr);
/// Replaces the instance by its layers, including repeats; the names of layers and weights stay.
Result<Edit> ungroup_node(const GraphDoc&, const std::string& scope, NodeId instance,
                          std::vector<NodeId>* made = nullptr);
/// The document with every instance of a block replaced by its layers, whose names stay, and without definitions.
Result<GraphDoc> without_blocks(GraphDoc);
/// Gives these instances their own copy of the definition.
Edit make_unique(const GraphDoc&, const std::string& scope, const std::vector<NodeId>& instances);
/// Renames the definition to `to` in all instances. Rejected: an empty name, or one in use.
Result<Edit> rename_block(const GraphDoc&, const std::string& from, const std::string& to);
/// The scope and id of its instances.
int instances_of(const GraphDoc&, const std::string& block);

/// Converts an integer attribute of a node inside a block to a parameter of that block with the same value in all
/// instances.
Result<Edit> expose_setting(const GraphDoc&, const std::string& block, NodeId, const std::string& field);
Result<Edit> add_parameter(const GraphDoc&, const std::string& block, const std::string& name, std::int64_t value);
/// Replaces the parameter by its value in formulas and removes it from instances. Rejected if instances have different
/// values.
Result<Edit> remove_parameter(const GraphDoc&, const std::string& block, const std::string& name);

/// A block with all nested blocks as text, which the user's palette stores. The format is that of copied layers.
std::string block_text(const GraphDoc&, const std::string& block);
/// Definitions that are missing in the document, and the name of the block in the document afterwards.
struct ImportedBlock {
  Edit edit;
  std::string name;
};
Result<ImportedBlock> take_block(const GraphDoc&, std::string_view text);

}  // namespace nw
