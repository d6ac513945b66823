// SPDX-License-Identifier: Apache-2.0
#include "engine/design/graph_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "engine/core/files.hpp"
#include "engine/design/project_file.hpp"

namespace nw {
namespace {

const Graph nothing;

std::set<std::string> scopes_of(const GraphDoc& a, const GraphDoc& b) {
  std::set<std::string> scopes{""};
  for (const GraphDoc* doc : {&a, &b})
    for (const auto& [name, block] : doc->blocks()) scopes.insert(name);
  return scopes;
}

const Graph& graph_of(const GraphDoc& doc, const std::string& scope) {
  return doc.has_scope(scope) ? doc.graph(scope) : nothing;
}

std::string value_text(const Attr& value) {
  if (const auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
  if (const auto* n = std::get_if<std::int64_t>(&value)) return std::to_string(*n);
  if (const auto* d = std::get_if<double>(&value)) return Json(*d).dump();
  if (const auto* s = std::get_if<std::string>(&value)) return *s;
  std::string text;
  for (const std::int64_t n : std::get<std::vector<std::int64_t>>(value))
    text += (text.empty() ? "" : "×") + std::to_string(n);
  return text;
}

/// A node's type, attributes, and whether it is bypassed or frozen, by name.
std::map<std::string, std::string> fields_of(const Node& n) {
  std::map<std::string, std::string> fields{{"type", n.type}};
  for (const auto& [name, value] : n.attrs) fields[name] = value_text(value);
  if (n.bypassed) fields["bypassed"] = "true";
  if (n.frozen) fields["frozen"] = "true";
  if (n.frozen_epochs != 0) fields["frozen_epochs"] = std::to_string(n.frozen_epochs);
  if (n.pipeline_stage >= 0) fields["pipeline_stage"] = std::to_string(n.pipeline_stage);
  if (n.lr_scale != 1) fields["lr_scale"] = fmt::format("{}", n.lr_scale);
  return fields;
}

std::vector<FieldChange> changes(const std::map<std::string, std::string>& before,
                                 const std::map<std::string, std::string>& after) {
  std::vector<FieldChange> list;
  for (const auto& [name, value] : before) {
    const auto other = after.find(name);
    if (other == after.end() || other->second != value)
      list.push_back({name, value, other == after.end() ? "" : other->second});
  }
  for (const auto& [name, value] : after)
    if (!before.contains(name)) list.push_back({name, "", value});
  return list;
}

std::map<std::string, std::string> fields_of(const Json& object) {
  std::map<std::string, std::string> fields;
  for (const auto& [name, value] : object.items())
    fields[name] = value.is_string() ? value.get<std::string>() : value.dump();
  return fields;
}

std::map<std::string, NodeId> by_name(const Graph& g) {
  std::map<std::string, NodeId> ids;
  for (const auto& [id, node] : g.nodes) ids[node.name] = id;
  return ids;
}

void diff_nodes(GraphDiff& out, const std::string& scope, const Graph& a, const Graph& b) {
  const auto before = by_name(a), after = by_name(b);
  for (const auto& [name, id] : before) {
    const auto other = after.find(name);
    if (other == after.end()) {
      out.nodes.push_back({ChangeKind::removed, scope, name, a.nodes.at(id).type, id, 0, {}});
      continue;
    }
    auto fields = changes(fields_of(a.nodes.at(id)), fields_of(b.nodes.at(other->second)));
    if (!fields.empty())
      out.nodes.push_back(
          {ChangeKind::changed, scope, name, b.nodes.at(other->second).type, id, other->second, std::move(fields)});
  }
  for (const auto& [name, id] : after)
    if (!before.contains(name)) out.nodes.push_back({ChangeKind::added, scope, name, b.nodes.at(id).type, 0, id, {}});
}

using ConnectionKey = std::tuple<std::string, int, std::string, int>;
std::set<ConnectionKey> connections_of(const Graph& g) {
  std::set<ConnectionKey> wires;
  for (const Connection& c : g.connections)
    wires.emplace(g.nodes.at(c.from).name, c.from_port, g.nodes.at(c.to).name, c.to_port);
  return wires;
}

void diff_connections(GraphDiff& out, const std::string& scope, const Graph& a, const Graph& b) {
  const std::set<ConnectionKey> before = connections_of(a), after = connections_of(b);
  const auto say = [&](ChangeKind kind, const ConnectionKey& w) {
    out.wires.push_back({kind, scope, std::get<0>(w), std::get<2>(w), std::get<1>(w), std::get<3>(w)});
  };
  for (const ConnectionKey& w : before)
    if (!after.contains(w)) say(ChangeKind::removed, w);
  for (const ConnectionKey& w : after)
    if (!before.contains(w)) say(ChangeKind::added, w);
}

/// Changes of a block's parameters are reported as a change of the block.
void diff_parameters(GraphDiff& out, const std::string& scope, const GraphDoc& a, const GraphDoc& b) {
  const auto parameters = [&](const GraphDoc& doc) {
    std::map<std::string, std::string> fields;
    if (!scope.empty() && doc.has_scope(scope))
      for (const BlockParameter& p : doc.blocks().at(scope).parameters) fields["$" + p.name] = std::to_string(p.value);
    return fields;
  };
  auto fields = changes(parameters(a), parameters(b));
  if (!fields.empty()) out.nodes.push_back({ChangeKind::changed, scope, "", "Block", 0, 0, std::move(fields)});
}

}  // namespace

std::string_view name_of(ChangeKind kind) {
  return kind == ChangeKind::added ? "added" : kind == ChangeKind::removed ? "removed" : "changed";
}

int GraphDiff::count(ChangeKind kind) const {
  return static_cast<int>(
      std::count_if(nodes.begin(), nodes.end(), [&](const NodeChange& n) { return n.kind == kind; }));
}

GraphDiff diff(const GraphDoc& before, const GraphDoc& after) {
  GraphDiff out;
  for (const std::string& scope : scopes_of(before, after)) {
    const Graph &a = graph_of(before, scope), &b = graph_of(after, scope);
    diff_parameters(out, scope, before, after);
    diff_nodes(out, scope, a, b);
    diff_connections(out, scope, a, b);
  }
  out.data = changes(fields_of(to_json(before.data())), fields_of(to_json(after.data())));
  out.settings = changes(fields_of(to_json(before.settings())), fields_of(to_json(after.settings())));
  return out;
}

std::uint64_t network_hash(const GraphDoc& doc) {
  Json all = Json::array();
  for (const std::string& scope : scopes_of(doc, doc)) {
    const Graph& g = doc.graph(scope);
    Json nodes = Json::object(), wires = Json::array(), parameters = Json::object();
    for (const auto& [id, node] : g.nodes) nodes[node.name] = fields_of(node);
    for (const auto& [from, from_port, to, to_port] : connections_of(g))
      wires.push_back({from, from_port, to, to_port});
    if (!scope.empty())
      for (const BlockParameter& p : doc.blocks().at(scope).parameters) parameters[p.name] = p.value;
    all.push_back({scope, nodes, wires, parameters});
  }
  return xxh3(all.dump());
}

}  // namespace nw
