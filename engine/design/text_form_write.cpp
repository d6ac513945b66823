// SPDX-License-Identifier: Apache-2.0
// Writes a network as lines of text.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

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

namespace {

/// The connections of a graph, for walks along them.
struct Walk {
  explicit Walk(const Graph& g) {
    for (const auto& [id, node] : g.nodes) waiting[id] = 0;
    for (const Connection& c : g.connections) {
      ++waiting[c.to];
      next[c.from].push_back(c.to);
    }
  }
  std::map<NodeId, int> waiting;  // inputs whose producers have not been visited
  std::map<NodeId, std::vector<NodeId>> next;
};

/// The length of the longest path to each node that is on no cycle and behind none.
std::map<NodeId, int> ranks(Walk walk) {
  std::map<NodeId, int> rank;
  std::vector<NodeId> ready;
  for (const auto& [id, count] : walk.waiting)
    if (count == 0) ready.push_back(id);
  while (!ready.empty()) {
    const NodeId id = ready.back();
    ready.pop_back();
    for (const NodeId to : walk.next[id]) {
      rank[to] = std::max(rank[to], rank[id] + 1);
      if (--walk.waiting[to] == 0) ready.push_back(to);
    }
  }
  return rank;
}

}  // namespace

/// A branch stays together, for its lines need no "<-"; branches come by rank, then from above, then from the left.
std::vector<NodeId> written::in_order(const Graph& g) {
  Walk walk(g);
  std::map<NodeId, int> rank = ranks(walk);
  const auto place = [&](NodeId id) {
    const Point& at = g.nodes.at(id).position;
    return std::tuple(rank[id], at.y, at.x, id);
  };
  std::set<std::tuple<int, double, double, NodeId>> ready, fed;  // fed: by the line above
  for (const auto& [id, count] : walk.waiting)
    if (count == 0) ready.insert(place(id));
  std::vector<NodeId> order;
  while (!ready.empty() || !fed.empty()) {
    auto& from = fed.empty() ? ready : fed;
    const NodeId id = std::get<NodeId>(*from.begin());
    from.erase(from.begin());
    order.push_back(id);
    ready.merge(fed);
    fed.clear();
    for (const NodeId to : walk.next[id])
      if (--walk.waiting[to] == 0) fed.insert(place(to));
  }
  for (const auto& [id, count] : walk.waiting)
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
  if (node.frozen_epochs != 0) out += " frozen_epochs=" + value_text(nullptr, node.frozen_epochs);
  if (node.pipeline_stage >= 0) out += " pipeline_stage=" + value_text(nullptr, node.pipeline_stage);
  if (node.lr_scale != 1) out += " lr_scale=" + value_text(nullptr, node.lr_scale);
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
