// SPDX-License-Identifier: Apache-2.0
// Replaces a block instance by the layers of its block.
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

class Ungrouping {
 public:
  Ungrouping(const GraphDoc& doc, const std::string& scope, NodeId id, std::int64_t repeat)
      : scope_(scope),
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
      // a repeat passes only its first output to the next one
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

  /// Moves the nodes beside and below the block, so that relative positions stay, and enlarges frames around it.
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

  /// A frame that contains `at` grows to both sides; another one moves.
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

  /// Adds the layers of one repeat with new ids; returns its outputs by port.
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
      copy.frozen_epochs = std::max(copy.frozen_epochs, instance_.frozen_epochs);
      if (copy.pipeline_stage < 0) copy.pipeline_stage = instance_.pipeline_stage;
      copy.lr_scale = std::min(copy.lr_scale * instance_.lr_scale, largest_lr_scale);
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

  /// The block's inputs or outputs in the order of their ports, as the compiler numbers them.
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

Result<Edit> ungroup_node(const GraphDoc& doc, const std::string& scope, NodeId instance, std::vector<NodeId>* made) {
  const auto it = doc.graph(scope).nodes.find(instance);
  if (it == doc.graph(scope).nodes.end() || !doc.blocks().contains(block_of(it->second)))
    return fail(Errc::other, NW_TR("This is no block"));
  const Node& node = it->second;
  if (node.bypassed) return fail(Errc::other, NW_TR("{0} is bypassed: enable it before you ungroup it"), node.name);
  std::int64_t repeat = 1;
  if (const auto attr = node.attrs.find("repeat"); attr != node.attrs.end()) {
    const auto* number = std::get_if<std::int64_t>(&attr->second);
    if (!number)
      return fail(Errc::other, NW_TR("{0} is repeated by a formula: replace the formula by a number first"), node.name);
    repeat = std::clamp<std::int64_t>(*number, 1, 1000);
  }
  constexpr std::size_t most = 5000;
  const std::size_t layers = doc.blocks().at(block_of(node)).graph.nodes.size() * static_cast<std::size_t>(repeat);
  if (layers > most)
    return fail(Errc::other, NW_TR("{0} expands to {1} layers, too many to draw individually"), node.name, layers);
  return Ungrouping(doc, scope, instance, repeat).edit(made);
}

Result<GraphDoc> without_blocks(GraphDoc doc) {
  const auto instance = [&]() -> NodeId {
    for (const auto& [id, node] : doc.graph().nodes)
      if (node.type == "Block") return id;
    return 0;
  };
  for (NodeId id = instance(); id != 0; id = instance()) {
    NW_ASSIGN(const Edit edit, ungroup_node(doc, "", id));
    NW_ASSIGN(const Edit undo, doc.apply(edit));
    (void)undo;
  }
  Edit unused;
  for (const auto& [name, block] : doc.blocks()) unused.push_back(PutBlock{name, std::nullopt});
  NW_ASSIGN(const Edit undo, doc.apply(unused));
  (void)undo;
  return doc;
}

}  // namespace nw
