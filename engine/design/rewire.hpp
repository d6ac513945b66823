// SPDX-License-Identifier: Apache-2.0
// Edits of several connections: detach layers, move all connections of an output, connect the selection.
#pragma once
#include <set>

#include "engine/design/graph_doc.hpp"

namespace nw {

/// The number of ports of a node's layer type or block definition. -1: any number.
int input_count(const GraphDoc&, const Node&);
int output_count(const GraphDoc&, const Node&);

/// Nodes with a path to `node`, itself included: connecting `node` to one of them would close a cycle.
std::set<NodeId> upstream(const Graph&, NodeId node);
/// Nodes to which there is a path from `node`, itself included.
std::set<NodeId> downstream(const Graph&, NodeId node);

/// Detaches the nodes from all others, which are reconnected around them; connections between the nodes stay.
Edit detach_nodes(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&);
/// Removes every connection of one port.
Edit break_port(const GraphDoc&, const std::string& scope, NodeId, bool output, int port);
/// Removes all connections of the nodes, including those between them.
Edit break_nodes(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&);
/// Moves the connections of one output to another. Rejected if this would make a cycle.
Result<Edit> move_outputs(const GraphDoc&, const std::string& scope, NodeId from, int from_port, NodeId to,
                          int to_port);
/// Connects each node to the next one below it at its first free input. Rejected if none can be connected.
Result<Edit> connect_in_order(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&);
/// Routes the connection through a collapsed Identity at `at`.
Edit add_dot(const GraphDoc&, const std::string& scope, const Connection&, Point at, NodeId* id = nullptr);

}  // namespace nw
