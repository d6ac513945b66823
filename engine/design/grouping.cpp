// SPDX-License-Identifier: Apache-2.0
// Layers into a block, and a block back into layers.
#include <algorithm>
#include <cctype>
#include <set>

#include "engine/design/block_edits.hpp"
#include "engine/design/block_names.hpp"
#include "engine/design/expression.hpp"
#include "engine/design/formula.hpp"
#include "engine/design/layer_type.hpp"
#include "engine/design/names.hpp"
#include "engine/design/rewire.hpp"

namespace nw {
namespace {

using Port = std::pair<NodeId, int>;
constexpr double card_height = 60, row = 108, column = 300;

struct Bounds {
  double left = 1e300, top = 1e300, right = -1e300, bottom = -1e300;
  void take(const Point& p) {
    left = std::min(left, p.x);
    right = std::max(right, p.x);
    top = std::min(top, p.y);
    bottom = std::max(bottom, p.y);
  }
  Point centre() const { return {(left + right) / 2, (top + bottom) / 2}; }
  double height() const { return bottom - top; }
};

bool is_end(const Node& node) { return node.type == "BlockInput" || node.type == "BlockOutput"; }

bool may_be_inside(const Node& node) {
  const LayerType* type = find_layer(node.type);
  return node.type != "Input" && !is_end(node) && !(type && type->loss);
}

/// A node outside through which the signal leaves the group and comes back; 0: none.
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
  };  // what a BlockInput feeds, or the one output that a BlockOutput gives

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
    for (const NodeId id : inside_) add_loose_ends(id);
  }

  /// Nothing leads in, or out: what is open becomes the block's input, or output.
  void add_loose_ends(NodeId id) {
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

  /// A frame around nothing but these layers goes with them.
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

  /// Formulas inside go on: the block gets the parameters they name, and the instance hands them down.
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
  std::vector<std::pair<Port, int>> fed_;    // from outside, to the instance's input
  std::vector<std::pair<int, Port>> feeds_;  // from the instance's output, to outside
  Edit removals_;
};

class Ungrouping {
 public:
  Ungrouping(const GraphDoc& doc, const std::string& scope, NodeId id, std::int64_t repeat)
      : doc_(doc),
        scope_(scope),
        g_(doc.graph(scope)),
        id_(id),
        instance_(g_.nodes.at(id)),
        block_(doc.blocks().at(block_of(instance_))),
        repeat_(repeat),
        next_(doc.next_id()) {
    for (const auto& [inner, node] : block_.graph.nodes)
      if (!is_end(node)) bounds_.take(node.position);
    for (const BlockParameter& p : block_.parameters) values_[p.name] = value_of(p);
    for (const auto& [other, node] : g_.nodes)
      if (other != id) names_.insert(node.name);
  }

  Edit edit(std::vector<NodeId>* made) {
    std::map<int, Port> feed;
    for (const Connection& c : g_.connections) {
      if (c.from == id_ || c.to == id_) edit_.push_back(PutConnection{scope_, c, false});
      if (c.to == id_) feed[c.to_port] = {c.from, c.from_port};
    }
    edit_.push_back(PutNode{scope_, id_, std::nullopt});
    make_room();
    for (std::int64_t k = 0; k < repeat_; ++k) {
      if (k > 0) feed = results_;
      // a repeat hands only the first value on
      if (k > 0) std::erase_if(feed, [](const auto& f) { return f.first != 0; });
      results_ = copy(k, feed, made);
    }
    for (const Connection& c : g_.connections)
      if (c.from == id_)
        if (const auto from = results_.find(c.from_port); from != results_.end())
          edit_.push_back(PutConnection{scope_, {from->second.first, from->second.second, c.to, c.to_port}, true});
    return std::move(edit_);
  }

 private:
  std::string value_of(const BlockParameter& p) const {
    const auto own = instance_.attrs.find(p.name);
    if (own == instance_.attrs.end()) return std::to_string(p.value);
    if (const auto* number = std::get_if<std::int64_t>(&own->second)) return std::to_string(*number);
    const auto* formula = std::get_if<std::string>(&own->second);
    return formula ? *formula : std::to_string(p.value);
  }

  double step() const { return bounds_.height() + row; }

  /// What stood below, left and right of the card goes on standing there; frames around it grow.
  void make_room() {
    const double down = std::max(0.0, step() * static_cast<double>(repeat_) - row),
                 aside = (bounds_.right - bounds_.left) / 2;
    const auto [x, y] = instance_.position;
    for (const auto& [id, node] : g_.nodes) {
      Node moved = node;
      if (node.position.y > y) moved.position.y += down;
      if (node.position.x > x + column / 2) moved.position.x += aside;
      if (node.position.x < x - column / 2) moved.position.x -= aside;
      if (id != id_ && !(moved == node)) edit_.push_back(PutNode{scope_, id, std::move(moved)});
    }
    for (const auto& [id, frame] : g_.frames) {
      Frame changed = frame;
      stretch(changed.rect.x, changed.rect.width, x, aside, aside);
      stretch(changed.rect.y, changed.rect.height, y, 0, down);
      if (!(changed == frame)) edit_.push_back(PutFrame{scope_, id, std::move(changed)});
    }
  }

  /// A frame around the place grows to both sides; one beside it moves.
  static void stretch(double& begin, double& size, double at, double before, double after) {
    if (begin > at)
      begin += after;
    else if (begin + size < at)
      begin -= before;
    else {
      begin -= before;
      size += before + after;
    }
  }

  /// One repeat with fresh ids; the answer: what its outputs are, by port.
  std::map<int, Port> copy(std::int64_t k, const std::map<int, Port>& feed, std::vector<NodeId>* made) {
    const Point shift{instance_.position.x - bounds_.centre().x,
                      instance_.position.y - bounds_.top + static_cast<double>(k) * step()};
    std::map<NodeId, NodeId> ids;
    for (const auto& [inner, node] : block_.graph.nodes) {
      if (is_end(node)) continue;
      Node copy = node;
      copy.name = free_name(instance_name(instance_.name, repeat_, k) + "." + node.name);
      copy.position = {node.position.x + shift.x, node.position.y + shift.y};
      copy.frozen = copy.frozen || instance_.frozen;
      put_values(copy, values_);
      ids[inner] = next_;
      if (made) made->push_back(next_);
      edit_.push_back(PutNode{scope_, next_++, std::move(copy)});
    }
    for (const auto& [inner, frame] : block_.graph.frames) {
      Frame copy = frame;
      copy.rect.x += shift.x;
      copy.rect.y += shift.y;
      edit_.push_back(PutFrame{scope_, next_++, std::move(copy)});
    }
    return connect_copy(ids, feed);
  }

  std::map<int, Port> connect_copy(const std::map<NodeId, NodeId>& ids, const std::map<int, Port>& feed) {
    const std::map<NodeId, int> ins = ports("BlockInput"), outs = ports("BlockOutput");
    std::map<int, Port> results;
    for (const Connection& c : block_.graph.connections) {
      std::optional<Port> from;
      if (const auto in = ins.find(c.from); in == ins.end())
        from = Port{ids.at(c.from), c.from_port};
      else if (const auto fed = feed.find(in->second); fed != feed.end())
        from = fed->second;
      if (!from) continue;
      if (const auto out = outs.find(c.to); out != outs.end())
        results[out->second] = *from;
      else
        edit_.push_back(PutConnection{scope_, {from->first, from->second, ids.at(c.to), c.to_port}, true});
    }
    return results;
  }

  /// The block's ends of one kind in the order of their ports, as compile numbers them.
  std::map<NodeId, int> ports(const char* kind) const {
    std::vector<std::pair<std::int64_t, NodeId>> order;
    for (const auto& [id, node] : block_.graph.nodes) {
      if (node.type != kind) continue;
      const auto port = node.attrs.find("port");
      const auto* number = port == node.attrs.end() ? nullptr : std::get_if<std::int64_t>(&port->second);
      order.emplace_back(number ? *number : 0, id);
    }
    std::sort(order.begin(), order.end());
    std::map<NodeId, int> found;
    for (std::size_t i = 0; i < order.size(); ++i) found[order[i].second] = static_cast<int>(i);
    return found;
  }

  std::string free_name(const std::string& wanted) {
    std::string name = wanted;
    for (int n = 2; !names_.insert(name).second; ++n) name = wanted + "_" + std::to_string(n);
    return name;
  }

  const GraphDoc& doc_;
  const std::string& scope_;
  const Graph& g_;
  NodeId id_;
  const Node& instance_;
  const Block& block_;
  std::int64_t repeat_;
  NodeId next_;
  Bounds bounds_;
  std::map<std::string, std::string> values_;
  std::set<std::string> names_;
  std::map<int, Port> results_;
  Edit edit_;
};

}  // namespace

Result<Edit> group_nodes(const GraphDoc& doc, const std::string& scope, const std::vector<NodeId>& ids,
                         const std::string& name, NodeId* made) {
  const Graph& g = doc.graph(scope);
  std::set<NodeId> inside;
  for (const NodeId id : ids)
    if (g.nodes.contains(id)) inside.insert(id);
  if (inside.empty()) return fail(Errc::other, NW_TR("Select the layers that shall become a block"));
  for (const NodeId id : inside)
    if (!may_be_inside(g.nodes.at(id)))
      return fail(Errc::other, NW_TR("{0} cannot be part of a block: inputs, losses and ends of blocks stay outside"),
                  g.nodes.at(id).name);
  if (const NodeId between = way_round(g, inside))
    return fail(Errc::other, NW_TR("The signal leaves these layers over {0} and comes back: select it too"),
                g.nodes.at(between).name);
  return Grouping(doc, scope, std::move(inside), free_block_name(doc, name)).edit(made);
}

Result<Edit> ungroup_node(const GraphDoc& doc, const std::string& scope, NodeId instance, std::vector<NodeId>* made) {
  const auto it = doc.graph(scope).nodes.find(instance);
  if (it == doc.graph(scope).nodes.end() || !doc.blocks().contains(block_of(it->second)))
    return fail(Errc::other, NW_TR("This is no block"));
  const Node& node = it->second;
  if (node.bypassed)
    return fail(Errc::other, NW_TR("{0} is bypassed: switch it on before it is taken apart"), node.name);
  std::int64_t repeat = 1;
  if (const auto attr = node.attrs.find("repeat"); attr != node.attrs.end()) {
    const auto* number = std::get_if<std::int64_t>(&attr->second);
    if (!number)
      return fail(Errc::other, NW_TR("{0} is repeated by a formula: put a number in its place first"), node.name);
    repeat = std::clamp<std::int64_t>(*number, 1, 1000);
  }
  constexpr std::size_t most = 5000;
  const std::size_t layers = doc.blocks().at(block_of(node)).graph.nodes.size() * static_cast<std::size_t>(repeat);
  if (layers > most)
    return fail(Errc::other, NW_TR("{0} stands for {1} layers, too many to draw one by one"), node.name, layers);
  return Ungrouping(doc, scope, instance, repeat).edit(made);
}

}  // namespace nw
