// SPDX-License-Identifier: Apache-2.0
// The user's edits, composed of elementary put operations.
#include <algorithm>
#include <set>

#include "engine/design/free_names.hpp"
#include "engine/design/layer_type.hpp"
#include "engine/design/names.hpp"

namespace nw {
namespace {

std::string stem_of(const Node& node) {
  if (node.type == "Block") return is_name(block_of(node)) ? block_of(node) : "block";
  const LayerType* type = find_layer(node.type);
  return type ? std::string(type->stem) : "layer";
}

bool taken(const Graph& graph, const std::string& name) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& n) { return n.second.name == name; });
}

/// `name` if it is unused; otherwise the first unused name with another number ("conv3" becomes "conv…").
std::string made_free(const GraphDoc& doc, const std::string& scope, const Node& node) {
  if (is_name(node.name) && !taken(doc.graph(scope), node.name)) return node.name;
  std::string stem = is_name(node.name) ? node.name : stem_of(node);
  while (!stem.empty() && stem.back() >= '0' && stem.back() <= '9') stem.pop_back();
  if (!is_name(stem) || stem.back() == '.') stem = stem_of(node);
  return doc.free_name(scope, stem);
}

const Connection* feeding(const Graph& graph, NodeId to, int port) {
  for (const Connection& c : graph.connections)
    if (c.to == to && c.to_port == port) return &c;
  return nullptr;
}

bool is_variadic(const Graph& graph, NodeId id) {
  const auto node = graph.nodes.find(id);
  const LayerType* type = node == graph.nodes.end() ? nullptr : find_layer(node->second.type);
  return type && type->inputs < 0;
}

int first_free_port(const Graph& graph, NodeId id) {
  int port = 0;
  while (feeding(graph, id, port)) ++port;
  return port;
}

/// The output that feeds `c` after the nodes in `gone` are removed and their first input is connected through; nullopt
/// if there is none.
std::optional<std::pair<NodeId, int>> healed_source(const Graph& graph, const Connection& c,
                                                    const std::set<NodeId>& gone) {
  const Connection* at = &c;
  for (std::size_t hops = 0; hops <= gone.size(); ++hops) {
    if (!gone.contains(at->from)) return std::pair{at->from, at->from_port};
    at = feeding(graph, at->from, 0);
    if (!at) return std::nullopt;
  }
  return std::nullopt;  // the removed nodes formed a cycle
}

}  // namespace

Edit add_node(const GraphDoc& doc, const std::string& scope, Node node, NodeId* id) {
  node.name = made_free(doc, scope, node);
  if (id) *id = doc.next_id();
  return {PutNode{scope, doc.next_id(), std::move(node)}};
}

Edit remove_nodes(const GraphDoc& doc, const std::string& scope, const std::vector<NodeId>& ids, bool heal) {
  const Graph& graph = doc.graph(scope);
  const std::set<NodeId> gone(ids.begin(), ids.end());
  Edit edit, bridges;
  for (const Connection& c : graph.connections) {
    if (!gone.contains(c.from) && !gone.contains(c.to)) continue;
    edit.push_back(PutConnection{scope, c, false});
    if (!heal || gone.contains(c.to)) continue;
    if (const auto from = healed_source(graph, c, gone); from && from->first != c.to)
      bridges.push_back(PutConnection{scope, {from->first, from->second, c.to, c.to_port}, true});
  }
  for (const NodeId id : gone)
    if (graph.nodes.contains(id)) edit.push_back(PutNode{scope, id, std::nullopt});
  edit.insert(edit.end(), bridges.begin(), bridges.end());
  return edit;
}

Edit connect(const GraphDoc& doc, const std::string& scope, const Connection& wanted) {
  const Graph& graph = doc.graph(scope);
  Connection c = wanted;
  const Connection* old = feeding(graph, c.to, c.to_port);
  if (old && *old == c) return {};
  if (old && is_variadic(graph, c.to)) {  // Add and Concat get one more input; no connection is replaced
    c.to_port = first_free_port(graph, c.to);
    old = nullptr;
  }
  Edit edit;
  if (old) edit.push_back(PutConnection{scope, *old, false});
  edit.push_back(PutConnection{scope, c, true});
  return edit;
}

Edit disconnect(const GraphDoc&, const std::string& scope, const Connection& c) {
  return {PutConnection{scope, c, false}};
}

Edit insert_on(const GraphDoc& doc, const std::string& scope, const Connection& c, Node node, NodeId* id) {
  NodeId made = 0;
  Edit edit = {PutConnection{scope, c, false}};
  const Edit added = add_node(doc, scope, std::move(node), &made);
  edit.insert(edit.end(), added.begin(), added.end());
  edit.push_back(PutConnection{scope, {c.from, c.from_port, made, 0}, true});
  edit.push_back(PutConnection{scope, {made, 0, c.to, c.to_port}, true});
  if (id) *id = made;
  return edit;
}

Edit set_attr(const GraphDoc& doc, const std::string& scope, NodeId id, const std::string& name, Attr value) {
  const auto it = doc.graph(scope).nodes.find(id);
  if (it == doc.graph(scope).nodes.end()) return {};
  Node node = it->second;
  const LayerType* type = find_layer(node.type);
  const auto is_default = [&](const Field& f) { return f.name == name && f.otherwise == value; };
  if (type && std::any_of(type->fields.begin(), type->fields.end(), is_default))
    node.attrs.erase(name);
  else
    node.attrs[name] = std::move(value);
  if (node == it->second) return {};
  return {PutNode{scope, id, std::move(node)}};
}

Edit rename_node(const GraphDoc& doc, const std::string& scope, NodeId id, const std::string& name) {
  const auto it = doc.graph(scope).nodes.find(id);
  if (it == doc.graph(scope).nodes.end() || it->second.name == name) return {};
  Node node = it->second;
  node.name = name;
  const std::string place = scope.empty() ? std::string() : scope + "/";
  Edit edit = renamed_in_search(doc, place + it->second.name + ".", place + name + ".");
  edit.insert(edit.begin(), PutNode{scope, id, std::move(node)});
  return edit;
}

Edit renamed_in_search(const GraphDoc& doc, const std::string& from, const std::string& to) {
  Json search = doc.extra("search");
  if (!search.is_object() || !search.contains("parameters") || !search["parameters"].is_array()) return {};
  const auto rename = [&](Json& name) {
    if (const auto* old = name.get_ptr<const std::string*>(); old && old->starts_with(from))
      name = to + old->substr(from.size());
  };
  for (Json& p : search["parameters"]) {
    if (!p.is_object()) continue;
    if (p.contains("name")) rename(p["name"]);
    if (p.contains("sets") && p["sets"].is_array())
      for (Json& target : p["sets"]) rename(target);
  }
  return search == doc.extra("search") ? Edit{} : Edit{PutExtra{"search", std::move(search)}};
}

std::string nearest_free_name(const GraphDoc& doc, const std::string& scope, NodeId id, std::string_view typed) {
  const auto it = doc.graph(scope).nodes.find(id);
  if (it == doc.graph(scope).nodes.end()) return nearest_name(typed);
  Node node = it->second;
  node.name = nearest_name(typed);
  return node.name == it->second.name ? node.name : made_free(doc, scope, node);
}

Edit move_nodes(const GraphDoc& doc, const std::string& scope, const std::map<NodeId, Point>& places) {
  Edit edit;
  for (const auto& [id, place] : places) {
    const auto it = doc.graph(scope).nodes.find(id);
    if (it == doc.graph(scope).nodes.end() || it->second.position == place) continue;
    Node node = it->second;
    node.position = place;
    edit.push_back(PutNode{scope, id, std::move(node)});
  }
  return edit;
}

}  // namespace nw
