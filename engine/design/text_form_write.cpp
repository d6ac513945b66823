// SPDX-License-Identifier: Apache-2.0
// Writes a network as lines of text.
#include <set>

#include "engine/design/graph_doc.hpp"
#include "engine/design/layer_type.hpp"
#include "engine/design/names.hpp"
#include "engine/design/rewire.hpp"
#include "engine/design/text_form.hpp"
#include "engine/design/text_values.hpp"

namespace nw {

using written::field_of;
using written::in_order;
using written::value_text;

std::vector<NodeId> written::in_order(const Graph& g) {
  std::map<NodeId, int> waiting;
  std::map<NodeId, std::vector<NodeId>> next;
  for (const auto& [id, node] : g.nodes) waiting[id] = 0;
  for (const Connection& c : g.connections) {
    ++waiting[c.to];
    next[c.from].push_back(c.to);
  }
  const auto place = [&](NodeId id) { return std::tuple(g.nodes.at(id).position.x, g.nodes.at(id).position.y, id); };
  std::set<std::tuple<double, double, NodeId>> ready;
  for (const auto& [id, count] : waiting)
    if (count == 0) ready.insert(place(id));
  std::vector<NodeId> order;
  while (!ready.empty()) {
    const NodeId id = std::get<2>(*ready.begin());
    ready.erase(ready.begin());
    order.push_back(id);
    for (const NodeId to : next[id])
      if (--waiting[to] == 0) ready.insert(place(to));
  }
  for (const auto& [id, count] : waiting)
    if (count > 0) order.push_back(id);
  return order;
}

namespace {

std::string feeds_text(const Graph& g, const std::map<int, std::pair<NodeId, int>>& feeds) {
  std::string out;
  int port = 0;
  for (const auto& [to_port, from] : feeds) {
    for (; port < to_port; ++port) out += out.empty() ? "_" : ", _";
    if (!out.empty()) out += ", ";
    out += g.nodes.at(from.first).name;
    if (from.second > 0) out += ":" + std::to_string(from.second);
    ++port;
  }
  return out;
}

std::string line_text(const GraphDoc& doc, const Node& node) {
  const std::string block = block_of(node);
  const bool known = node.type == "Block" && doc.blocks().contains(block) && !find_layer(block);
  std::string out = node.name + ": " + (known ? block : node.type);
  for (const auto& [name, value] : node.attrs)
    if (!(known && name == "block")) out += " " + name + "=" + value_text(field_of(node, name), value);
  if (node.bypassed) out += " bypassed";
  if (node.frozen) out += " frozen";
  return out;
}

}  // namespace

std::string network_text(const GraphDoc& doc, const std::string& scope) {
  const Graph& g = doc.graph(scope);
  std::map<NodeId, std::map<int, std::pair<NodeId, int>>> feeds;
  for (const Connection& c : g.connections) feeds[c.to][c.to_port] = {c.from, c.from_port};
  std::string out;
  NodeId above = 0;
  for (const NodeId id : in_order(g)) {
    const Node& node = g.nodes.at(id);
    out += line_text(doc, node);
    const auto& fed = feeds[id];
    const bool may_follow = above && input_count(doc, node) != 0 && output_count(doc, g.nodes.at(above)) != 0;
    const bool follows =
        may_follow && fed.size() == 1 && fed.begin()->first == 0 && fed.begin()->second == std::pair{above, 0};
    if (!(follows || (fed.empty() && !may_follow))) out += fed.empty() ? " <-" : " <- " + feeds_text(g, fed);
    out += '\n';
    above = id;
  }
  return out;
}

int line_of(std::string_view text, std::string_view name) {
  int line = 0;
  while (!text.empty()) {
    if (text.starts_with(name) && text.substr(name.size()).starts_with(':')) return line;
    const auto end = text.find('\n');
    if (end == text.npos) return -1;
    text.remove_prefix(end + 1);
    ++line;
  }
  return -1;
}

}  // namespace nw
