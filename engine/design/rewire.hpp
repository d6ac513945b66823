// SPDX-License-Identifier: Apache-2.0
// Edits of connections that one stroke of the hand makes: pull a layer out, move a whole bundle, tie what is selected
// together.
#pragma once
#include "engine/design/graph_doc.hpp"

namespace nw {

/// How many ports a node has: of its layer, or of its block's definition. -1: takes any number.
int input_count(const GraphDoc&, const Node&);
int output_count(const GraphDoc&, const Node&);

/// Takes the nodes out of their connections to others, which close behind them; connections among them stay.
Edit detach_nodes(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&);
/// Takes every connection of one port away.
Edit break_port(const GraphDoc&, const std::string& scope, NodeId, bool output, int port);
/// Takes every connection of the nodes away, those among them too.
Edit break_nodes(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&);
/// What left one output leaves another. Refused when a signal would come back to its own start.
Result<Edit> move_outputs(const GraphDoc&, const std::string& scope, NodeId from, int from_port, NodeId to,
                          int to_port);
/// From top to bottom each node feeds the next at its first free input. Refused when none of them can be connected.
Result<Edit> connect_in_order(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&);
/// The connection runs over a folded Identity at `at`.
Edit add_dot(const GraphDoc&, const std::string& scope, const Connection&, Point at, NodeId* id = nullptr);

}  // namespace nw
