// SPDX-License-Identifier: Apache-2.0
#include "engine/design/rewire.hpp"

#include <algorithm>
#include <set>

#include "engine/design/layer_type.hpp"
#include "engine/design/names.hpp"

namespace nw {
namespace {

int ends_of_block(const GraphDoc& doc, const Node& node, std::string_view kind) {
  const auto block = doc.blocks().find(block_of(node));
  if (block == doc.blocks().end()) return 0;
  const auto& nodes = block->second.graph.nodes;
  return static_cast<int>(
      std::count_if(nodes.begin(), nodes.end(), [&](const auto& n) { return n.second.type == kind; }));
}

bool reaches(const std::vector<Connection>& wires, NodeId from, NodeId to) {
  std::map<NodeId, std::vector<NodeId>> next;
  for (const Connection& c : wires) next[c.from].push_back(c.to);
  std::set<NodeId> seen;
  std::vector<NodeId> open{from};
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    if (at == to) return true;
    if (!seen.insert(at).second) continue;
    for (const NodeId to_next : next[at]) open.push_back(to_next);
  }
  return false;
}

int free_input(const GraphDoc& doc, const Node& node, const std::vector<Connection>& wires, NodeId id) {
  const int count = input_count(doc, node);
  for (int port = 0; count < 0 || port < count; ++port)
    if (std::none_of(wires.begin(), wires.end(), [&](const Connection& c) { return c.to == id && c.to_port == port; }))
      return port;
  return -1;
}

std::set<NodeId> reach(const Graph& graph, NodeId start, bool up) {
  std::map<NodeId, std::vector<NodeId>> next;
  for (const Connection& c : graph.connections) next[up ? c.to : c.from].push_back(up ? c.from : c.to);
  std::set<NodeId> seen;
  std::vector<NodeId> stack{start};
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    if (!seen.insert(id).second) continue;
    for (const NodeId n : next[id]) stack.push_back(n);
  }
  return seen;
}

}  // namespace

std::set<NodeId> upstream(const Graph& graph, NodeId node) { return reach(graph, node, true); }
std::set<NodeId> downstream(const Graph& graph, NodeId node) { return reach(graph, node, false); }

int input_count(const GraphDoc& doc, const Node& node) {
  if (node.type == "Block") return ends_of_block(doc, node, "BlockInput");
  if (node.type == "BlockOutput") return 1;
  const LayerType* type = find_layer(node.type);
  return type ? type->inputs : 1;
}

int output_count(const GraphDoc& doc, const Node& node) {
  if (node.type == "Block") return ends_of_block(doc, node, "BlockOutput");
  if (node.type == "BlockOutput") return 0;
  const LayerType* type = find_layer(node.type);
  return type ? type->outputs : 1;
}

Edit detach_nodes(const GraphDoc& doc, const std::string& scope, const std::vector<NodeId>& ids) {
  const std::set<NodeId> chosen(ids.begin(), ids.end());
  Edit edit;
  for (Put& put : remove_nodes(doc, scope, ids, true)) {
    const auto* wire = std::get_if<PutConnection>(&put);
    if (!wire || (!wire->present && chosen.contains(wire->connection.from) && chosen.contains(wire->connection.to)))
      continue;
    edit.push_back(std::move(put));
  }
  return edit;
}

Edit break_port(const GraphDoc& doc, const std::string& scope, NodeId id, bool output, int port) {
  Edit edit;
  for (const Connection& c : doc.graph(scope).connections)
    if (output ? c.from == id && c.from_port == port : c.to == id && c.to_port == port)
      edit.push_back(PutConnection{scope, c, false});
  return edit;
}

Edit break_nodes(const GraphDoc& doc, const std::string& scope, const std::vector<NodeId>& ids) {
  const std::set<NodeId> chosen(ids.begin(), ids.end());
  Edit edit;
  for (const Connection& c : doc.graph(scope).connections)
    if (chosen.contains(c.from) || chosen.contains(c.to)) edit.push_back(PutConnection{scope, c, false});
  return edit;
}

Result<Edit> move_outputs(const GraphDoc& doc, const std::string& scope, NodeId from, int from_port, NodeId to,
                          int to_port) {
  Edit edit;
  std::vector<Connection> wires = doc.graph(scope).connections;
  for (const Connection& c : doc.graph(scope).connections) {
    if (c.from != from || c.from_port != from_port) continue;
    std::erase(wires, c);
    const Connection moved{to, to_port, c.to, c.to_port};
    if (reaches(wires, c.to, to)) return fail(Errc::other, NW_TR("The connection would form a cycle"));
    wires.push_back(moved);
    edit.push_back(PutConnection{scope, c, false});
    edit.push_back(PutConnection{scope, moved, true});
  }
  return edit;
}

Result<Edit> connect_in_order(const GraphDoc& doc, const std::string& scope, const std::vector<NodeId>& ids) {
  const auto& nodes = doc.graph(scope).nodes;
  std::vector<NodeId> order = ids;
  std::erase_if(order, [&](NodeId id) { return !nodes.contains(id); });
  const auto place = [&](NodeId id) { return std::tuple(nodes.at(id).position.y, nodes.at(id).position.x, id); };
  std::sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return place(a) < place(b); });
  if (order.size() < 2) return fail(Errc::other, NW_TR("Select two layers or more to connect them"));
  std::vector<Connection> wires = doc.graph(scope).connections;
  Edit edit;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const NodeId from = order[i - 1], to = order[i];
    const bool joined =
        std::any_of(wires.begin(), wires.end(), [&](const Connection& c) { return c.from == from && c.to == to; });
    const int port = free_input(doc, nodes.at(to), wires, to);
    if (joined || port < 0 || output_count(doc, nodes.at(from)) == 0 || reaches(wires, to, from)) continue;
    wires.push_back({from, 0, to, port});
    edit.push_back(PutConnection{scope, wires.back(), true});
  }
  if (edit.empty()) return fail(Errc::other, NW_TR("None of these layers has a free input for the one above it"));
  return edit;
}

Edit add_dot(const GraphDoc& doc, const std::string& scope, const Connection& c, Point at, NodeId* id) {
  Node dot{.type = "Identity", .position = at, .collapsed = true};
  return insert_on(doc, scope, c, std::move(dot), id);
}

}  // namespace nw
