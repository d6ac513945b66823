// SPDX-License-Identifier: GPL-3.0-or-later
// Connections and problems of one scope by node and port, so that painting a node does not search the whole graph.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/compile/compile.hpp"
#include "ui/canvas/scene/node_text.hpp"
#include "ui/canvas/scene/port_ref.hpp"

namespace nw::ui {

class GraphIndex {
 public:
  void setConnections(const Graph& graph);
  /// Stores the problems of `scope`, whose graph is `graph`. `problems` must live until the next call.
  void setProblems(const std::vector<Problem>& problems, const std::string& scope, const Graph& graph);

  const std::vector<const Problem*>& problems(NodeId) const;  // worst first
  const std::map<NodeId, std::vector<const Problem*>>& problems() const { return problems_; }
  const NodeEnds& ends(NodeId) const;                     // the node's connected ports
  const std::vector<Connection>& inputsOf(NodeId) const;  // the connections to the node's inputs, by port
  bool isConnected(const PortRef& port) const { return connected_.contains(port); }
  /// An error concerns the port or the connection.
  bool isBroken(const PortRef& port) const { return broken_.contains(port); }
  bool isBroken(const Connection& c) const { return broken_.contains({c.to, false, c.to_port}); }

 private:
  std::set<PortRef> connected_, broken_;
  std::map<NodeId, NodeEnds> ends_;
  std::map<NodeId, std::vector<Connection>> inputs_;
  std::map<NodeId, std::vector<const Problem*>> problems_;
};

}  // namespace nw::ui
