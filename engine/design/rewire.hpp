// SPDX-License-Identifier: Apache-2.0
// Edits of connections that one gesture makes: detach a layer, move all connections of an output, connect the
// selection.
#pragma once
#include "engine/design/graph_doc.hpp"

namespace nw {

/// The number of a node's ports: of its layer, or of its block's definition. -1: any number.
int input_count(const GraphDoc&, const Node&);
int output_count(const GraphDoc&, const Node&);

/// Detaches the nodes from others, whose connections are joined; connections among the nodes stay.
Edit detach_nodes(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&);
/// Removes every connection of one port.
Edit break_port(const GraphDoc&, const std::string& scope, NodeId, bool output, int port);
/// Removes every connection of the nodes, those among them included.
Edit break_nodes(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&);
/// Moves the connections of one output to another. Rejected when this would make a cycle.
Result<Edit> move_outputs(const GraphDoc&, const std::string& scope, NodeId from, int from_port, NodeId to,
                          int to_port);
/// From top to bottom each node feeds the next at its first free input. Rejected when none of them can be connected.
Result<Edit> connect_in_order(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&);
/// Routes the connection through a folded Identity at `at`.
Edit add_dot(const GraphDoc&, const std::string& scope, const Connection&, Point at, NodeId* id = nullptr);

}  // namespace nw
