// SPDX-License-Identifier: Apache-2.0
// Groups layers into a block.
#include <algorithm>
#include <cctype>
#include <set>

#include "engine/design/block_edits.hpp"
#include "engine/design/block_geometry.hpp"
#include "engine/design/block_names.hpp"
#include "engine/design/expression.hpp"
#include "engine/design/formula.hpp"
#include "engine/design/layer_type.hpp"
#include "engine/design/names.hpp"
#include "engine/design/rewire.hpp"

namespace nw {
namespace {

bool may_be_inside(const Node& node) {
  const LayerType* type = find_layer(node.type);
  return node.type != "Input" && !is_end(node) && !(type && type->loss);
}

/// A node outside the group on a path that leaves the group and enters it again; 0 if there is none.
NodeId way_round(const Graph& g, const std::set<NodeId>& inside) {
  std::map<NodeId, std::vector<NodeId>> next;
  for (const Connection& c : g.connections) next[c.from].push_back(c.to);
  std::vector<NodeId> open;
  for (const Connection& c : g.connections)
    if (inside.contains(c.from) && !inside.contains(c.to)) open.push_back(c.to);
  std::set<NodeId> seen;
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    if (!seen.insert(at).second) continue;
    for (const NodeId to : next[at]) {
      if (inside.contains(to)) return at;
      open.push_back(to);
    }
  }
  return 0;
}

class Grouping {
 public:
  Grouping(const GraphDoc& doc, const std::string& scope, std::set<NodeId> inside, std::string name)
      : doc_(doc),
        scope_(scope),
        g_(doc.graph(scope)),
        inside_(std::move(inside)),
        name_(std::move(name)),
        next_(doc.next_id()) {
    for (const NodeId id : inside_) bounds_.take(g_.nodes.at(id).position);
  }

  Edit edit(NodeId* made) {
    for (const NodeId id : inside_) block_.graph.nodes[id] = g_.nodes.at(id);
    sort_connections();
    add_ends(ins_, true);
    add_ends(outs_, false);
    take_frames();
    Node instance = instance_node();
    const NodeId id = next_++;
    if (made) *made = id;
    Edit edit = removals_;
    for (const NodeId inner : inside_) edit.push_back(PutNode{scope_, inner, std::nullopt});
    edit.push_back(PutBlock{name_, std::move(block_)});
    edit.push_back(PutNode{scope_, id, std::move(instance)});
    for (const auto& [from, port] : fed_)
      edit.push_back(PutConnection{scope_, {from.first, from.second, id, port}, true});
    for (const auto& [port, to] : feeds_) edit.push_back(PutConnection{scope_, {id, port, to.first, to.second}, true});
    return edit;
  }

 private:
  struct End {
    std::vector<Port> inner;
  };  // the consumers of a BlockInput, or the one output that a BlockOutput returns

  void sort_connections() {
    std::map<Port, int> sources, results;
    for (const Connection& c : g_.connections) {
      const bool from = inside_.contains(c.from), to = inside_.contains(c.to);
      if (!from && !to) continue;
      removals_.push_back(PutConnection{scope_, c, false});
      if (from && to)
        block_.graph.connections.push_back(c);
      else if (to) {
        const auto [at, is_new] = sources.emplace(Port{c.from, c.from_port}, static_cast<int>(ins_.size()));
        if (is_new) ins_.emplace_back();
        ins_[static_cast<std::size_t>(at->second)].inner.push_back({c.to, c.to_port});
        if (is_new) fed_.emplace_back(Port{c.from, c.from_port}, at->second);
      } else {
        const auto [at, is_new] = results.emplace(Port{c.from, c.from_port}, static_cast<int>(outs_.size()));
        if (is_new) outs_.push_back({{{c.from, c.from_port}}});
        feeds_.emplace_back(at->second, Port{c.to, c.to_port});
      }
    }
    for (const NodeId id : inside_) add_unconnected_ports(id);
  }

  /// If no connection enters or leaves the group, its unconnected ports become the inputs or outputs of the block.
  void add_unconnected_ports(NodeId id) {
    const auto& wires = block_.graph.connections;
    const bool is_fed = std::any_of(wires.begin(), wires.end(), [&](const Connection& c) { return c.to == id; });
    const bool is_used = std::any_of(wires.begin(), wires.end(), [&](const Connection& c) { return c.from == id; });
    if (fed_.empty() && !is_fed && input_count(doc_, g_.nodes.at(id)) != 0) ins_.push_back({{{id, 0}}});
    if (feeds_.empty() && !is_used && output_count(doc_, g_.nodes.at(id)) != 0) outs_.push_back({{{id, 0}}});
  }

  void add_ends(const std::vector<End>& ends, bool input) {
    const double y = input ? bounds_.top - row : bounds_.bottom + row;
    for (std::size_t k = 0; k < ends.size(); ++k) {
      Node end{.type = input ? "BlockInput" : "BlockOutput", .name = free_inside(input ? "in" : "out")};
      if (k > 0) end.attrs["port"] = static_cast<std::int64_t>(k);
      const double first = g_.nodes.at(ends[0].inner[0].first).position.x;
      end.position = {first + column * static_cast<double>(k), y};
      const NodeId id = next_++;
      block_.graph.nodes[id] = std::move(end);
      for (const auto& [inner, port] : ends[k].inner)
        block_.graph.connections.push_back(input ? Connection{id, 0, inner, port} : Connection{inner, port, id, 0});
    }
    std::sort(block_.graph.connections.begin(), block_.graph.connections.end());
  }

  std::string free_inside(const std::string& stem) const {
    const auto taken = [&](const std::string& name) {
      return std::any_of(block_.graph.nodes.begin(), block_.graph.nodes.end(),
                         [&](const auto& n) { return n.second.name == name; });
    };
    std::string name = stem;
    for (int n = 2; taken(name); ++n) name = stem + std::to_string(n);
    return name;
  }

  /// A frame that contains only grouped layers is moved into the block.
  void take_frames() {
    for (const auto& [id, frame] : g_.frames) {
      const Rect& r = frame.rect;
      bool some = false, only = true;
      for (const auto& [node_id, node] : g_.nodes) {
        const Point& p = node.position;
        if (p.x < r.x || p.x > r.x + r.width || p.y < r.y || p.y > r.y + r.height) continue;
        some = true;
        only = only && inside_.contains(node_id);
      }
      if (!some || !only) continue;
      block_.graph.frames[id] = frame;
      removals_.push_back(PutFrame{scope_, id, std::nullopt});
    }
  }

  /// Formulas inside stay: the block gets the parameters that they use, and the instance passes the outer values.
  Node instance_node() {
    Node node{.type = "Block",
              .name = instance_stem(),
              .attrs = {{"block", name_}, {"repeat", std::int64_t{1}}},
              .position = bounds_.centre()};
    std::set<std::string> named;
    for (const NodeId id : inside_) named.merge(parameters_in(g_.nodes.at(id)));
    if (scope_.empty()) return node;
    for (const BlockParameter& p : doc_.blocks().at(scope_).parameters)
      if (named.contains(p.name)) {
        block_.parameters.push_back(p);
        node.attrs[p.name] = "$" + p.name;
      }
    return node;
  }

  std::string instance_stem() const {
    std::string stem = name_;
    std::transform(stem.begin(), stem.end(), stem.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    while (stem.size() > 1 && stem.back() >= '0' && stem.back() <= '9') stem.pop_back();
    return doc_.free_name(scope_, stem);
  }

  const GraphDoc& doc_;
  const std::string& scope_;
  const Graph& g_;
  std::set<NodeId> inside_;
  std::string name_;
  NodeId next_;
  Bounds bounds_;
  Block block_;
  std::vector<End> ins_, outs_;
  std::vector<std::pair<Port, int>> fed_;    // from outside to the instance's inputs
  std::vector<std::pair<int, Port>> feeds_;  // from the instance's outputs to outside
  Edit removals_;
};

}  // namespace

Result<Edit> group_nodes(const GraphDoc& doc, const std::string& scope, const std::vector<NodeId>& ids,
                         const std::string& name, NodeId* made) {
  const Graph& g = doc.graph(scope);
  std::set<NodeId> inside;
  for (const NodeId id : ids)
    if (g.nodes.contains(id)) inside.insert(id);
  if (inside.empty()) return fail(Errc::other, NW_TR("Select the layers to group into a block"));
  for (const NodeId id : inside)
    if (!may_be_inside(g.nodes.at(id)))
      return fail(Errc::other, NW_TR("{0} cannot be part of a block: inputs, losses and ends of blocks stay outside"),
                  g.nodes.at(id).name);
  if (const NodeId between = way_round(g, inside))
    return fail(Errc::other, NW_TR("A path leaves these layers through {0} and returns: select it too"),
                g.nodes.at(between).name);
  return Grouping(doc, scope, std::move(inside), free_block_name(doc, name)).edit(made);
}

}  // namespace nw
