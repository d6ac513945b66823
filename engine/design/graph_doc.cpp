// SPDX-License-Identifier: Apache-2.0
#include "engine/design/graph_doc.hpp"

#include <algorithm>
#include <cmath>

#include "engine/design/layer_type.hpp"
#include "engine/design/names.hpp"
#include "kernels/optimizer.hpp"

namespace nw {
namespace {

Status refuse(Text why) { return Error{Errc::other, std::move(why)}; }

template <class Map, class Id, class Item>
std::optional<Item> exchange_in(Map& map, const Id& id, const std::optional<Item>& item) {
  const auto it = map.find(id);
  std::optional<Item> old;
  if (it != map.end()) old = std::move(it->second);
  if (!item) {
    if (it != map.end()) map.erase(it);
  } else if (it != map.end())
    it->second = *item;
  else
    map.emplace(id, *item);
  return old;
}

/// The largest number of input or output ports of a layer type. Blocks and types of newer versions have no limit here,
/// because their definition may change while connections exist; the compiler reports connections to missing ports.
int ports(const std::string& type_name, bool input) {
  const LayerType* type = find_layer(type_name);
  if (!type) return port_limit;
  const int count = input ? type->inputs : type->outputs;
  return count < 0 ? port_limit : count;
}

bool fits(const std::string& type, int port, bool input) { return port >= 0 && port < ports(type, input); }

Status check_connection(const Graph& graph, const Connection& c, bool present) {
  const auto at = std::lower_bound(graph.connections.begin(), graph.connections.end(), c);
  const bool is_there = at != graph.connections.end() && *at == c;
  if (!present) return is_there ? Status() : refuse(text(NW_TR("This connection is not there")));
  if (is_there) return refuse(text(NW_TR("This connection exists already")));
  const auto from = graph.nodes.find(c.from), to = graph.nodes.find(c.to);
  if (from == graph.nodes.end() || to == graph.nodes.end())
    return refuse(text(NW_TR("One end of the connection is not there")));
  if (c.from == c.to) return refuse(text(NW_TR("{0} cannot be connected to itself"), from->second.name));
  if (!fits(from->second.type, c.from_port, false))
    return refuse(text(NW_TR("{0} has no such output"), from->second.name));
  if (!fits(to->second.type, c.to_port, true)) return refuse(text(NW_TR("{0} has no such input"), to->second.name));
  for (const Connection& other : graph.connections)
    if (other.to == c.to && other.to_port == c.to_port)
      return refuse(text(NW_TR("That input of {0} is connected already"), to->second.name));
  return {};
}

Status check_node(const Graph& graph, NodeId id, const std::optional<Node>& node) {
  if (id <= 0) return refuse(text(NW_TR("A layer needs a number")));
  if (!node) {
    if (!graph.nodes.contains(id)) return refuse(text(NW_TR("This layer is not there")));
    for (const Connection& c : graph.connections)
      if (c.from == id || c.to == id) return refuse(text(NW_TR("{0} still has connections"), graph.nodes.at(id).name));
    return {};
  }
  if (Text fault = fault_of(*node); !fault.empty()) return refuse(std::move(fault));
  const auto old = graph.nodes.find(id);
  if (old == graph.nodes.end() || old->second.name != node->name)
    for (const auto& [other, placed] : graph.nodes)
      if (other != id && placed.name == node->name) return refuse(text(NW_TR("The name {0} is taken"), node->name));
  if (old == graph.nodes.end() || old->second.type == node->type) return {};
  for (const Connection& c : graph.connections)
    if ((c.from == id && !fits(node->type, c.from_port, false)) || (c.to == id && !fits(node->type, c.to_port, true)))
      return refuse(text(NW_TR("{0} has connections that {1} cannot accept"), old->second.name, node->type));
  return {};
}

bool is_finite(const Rect& r) {
  return std::isfinite(r.x) && std::isfinite(r.y) && std::isfinite(r.width) && std::isfinite(r.height);
}

template <class Item>
Status check_item(const std::map<ItemId, Item>& items, ItemId id, const std::optional<Item>& item) {
  if (id <= 0 || (item && !is_finite(item->rect)))
    return refuse(text(NW_TR("A frame or note needs a number and a place")));
  if (!item && !items.contains(id)) return refuse(text(NW_TR("This frame or note is not there")));
  return {};
}

bool has_numbers(const TrainSettings& s) {
  std::vector<double> all = {s.learning_rate,
                             s.l1,
                             s.l2,
                             s.clip_norm,
                             s.clip_value,
                             s.step_gamma,
                             s.min_learning_rate,
                             s.warmup_epochs,
                             s.polynomial_power,
                             s.pct_start,
                             s.div_factor,
                             s.final_div_factor,
                             s.plateau_gamma,
                             s.plateau_threshold,
                             s.min_change,
                             s.ema_decay,
                             s.swa_learning_rate,
                             s.augment_strength};
  for (const auto& [field, value] : s.optimizer.set_values()) all.push_back(value);
  return std::all_of(all.begin(), all.end(), [](double v) { return std::isfinite(v); });
}

const std::string* scope_of(const Put& put) {
  return std::visit(
      [](const auto& p) -> const std::string* {
        if constexpr (requires { p.scope; })
          return &p.scope;
        else
          return nullptr;
      },
      put);
}

bool may_nest_blocks(const Put& put) {
  if (const auto* p = std::get_if<PutNode>(&put)) return p->node && p->node->type == "Block";
  return std::holds_alternative<PutBlock>(put);
}

}  // namespace

const Graph& GraphDoc::graph(const std::string& scope) const {
  if (scope.empty()) return main_;
  const auto it = blocks_.find(scope);
  assert(it != blocks_.end() && "the scope must exist");
  return it->second.graph;
}

Graph& GraphDoc::graph_of(const std::string& scope) { return scope.empty() ? main_ : blocks_.at(scope).graph; }

Status GraphDoc::check(const Put& put) const {
  if (const std::string* scope = scope_of(put); scope && !has_scope(*scope))
    return refuse(text(NW_TR("The block {0} is not there"), *scope));
  if (const auto* p = std::get_if<PutNode>(&put)) return check_node(graph(p->scope), p->id, p->node);
  if (const auto* p = std::get_if<PutConnection>(&put))
    return check_connection(graph(p->scope), p->connection, p->present);
  if (const auto* p = std::get_if<PutFrame>(&put)) return check_item(graph(p->scope).frames, p->id, p->frame);
  if (const auto* p = std::get_if<PutNote>(&put)) return check_item(graph(p->scope).notes, p->id, p->note);
  if (const auto* p = std::get_if<PutBlock>(&put)) {
    if (!is_name(p->name)) return refuse(text(NW_TR("\"{0}\" is no name for a block"), p->name.substr(0, name_limit)));
    if (!p->block && !blocks_.contains(p->name)) return refuse(text(NW_TR("The block {0} is not there"), p->name));
    if (Text fault = p->block ? fault_of(p->block->graph) : Text(); !fault.empty()) return refuse(std::move(fault));
    return {};
  }
  if (const auto* p = std::get_if<PutSettings>(&put); p && !has_numbers(p->settings))
    return refuse(text(NW_TR("A training setting is not a number")));
  if (const auto* p = std::get_if<PutSettings>(&put); p && !find_optimizer(p->settings.optimizer.name()))
    return refuse(text(NW_TR("There is no optimizer {0}"), p->settings.optimizer.name().substr(0, name_limit)));
  if (const auto* p = std::get_if<PutData>(&put);
      p && !(std::isfinite(p->data.validation_fraction) && std::isfinite(p->data.test_fraction)))
    return refuse(text(NW_TR("A share of the data is not a number")));
  if (const auto* p = std::get_if<PutExtra>(&put);
      p && std::find(extra_parts.begin(), extra_parts.end(), p->key) == extra_parts.end())
    return refuse(text(NW_TR("A project has no part \"{0}\""), p->key.substr(0, name_limit)));
  return {};
}

Put GraphDoc::exchange(const Put& put) {
  if (const auto* p = std::get_if<PutNode>(&put)) {
    next_id_ = std::max(next_id_, p->id + 1);
    return PutNode{p->scope, p->id, exchange_in(graph_of(p->scope).nodes, p->id, p->node)};
  }
  if (const auto* p = std::get_if<PutFrame>(&put)) {
    next_id_ = std::max(next_id_, p->id + 1);
    return PutFrame{p->scope, p->id, exchange_in(graph_of(p->scope).frames, p->id, p->frame)};
  }
  if (const auto* p = std::get_if<PutNote>(&put)) {
    next_id_ = std::max(next_id_, p->id + 1);
    return PutNote{p->scope, p->id, exchange_in(graph_of(p->scope).notes, p->id, p->note)};
  }
  if (const auto* p = std::get_if<PutConnection>(&put)) {
    auto& all = graph_of(p->scope).connections;
    const auto at = std::lower_bound(all.begin(), all.end(), p->connection);
    if (p->present)
      all.insert(at, p->connection);
    else
      all.erase(at);
    return PutConnection{p->scope, p->connection, !p->present};
  }
  if (const auto* p = std::get_if<PutBlock>(&put)) {
    if (p->block) {
      const Graph& g = p->block->graph;
      if (!g.nodes.empty()) next_id_ = std::max(next_id_, g.nodes.rbegin()->first + 1);
      if (!g.frames.empty()) next_id_ = std::max(next_id_, g.frames.rbegin()->first + 1);
      if (!g.notes.empty()) next_id_ = std::max(next_id_, g.notes.rbegin()->first + 1);
    }
    PutBlock old{p->name, exchange_in(blocks_, p->name, p->block)};
    if (p->block) std::sort(blocks_.at(p->name).graph.connections.begin(), blocks_.at(p->name).graph.connections.end());
    return old;
  }
  if (const auto* p = std::get_if<PutData>(&put)) return PutData{std::exchange(data_, p->data)};
  if (const auto* p = std::get_if<PutExtra>(&put)) return exchange_extra(*p);
  return PutSettings{std::exchange(settings_, std::get<PutSettings>(put).settings)};
}

PutExtra GraphDoc::exchange_extra(const PutExtra& put) {
  PutExtra old{put.key, extra(put.key)};
  if (put.value.is_null())
    unknown_.erase("/" + put.key);
  else
    unknown_["/" + put.key] = put.value;
  return old;
}

const Json& GraphDoc::extra(std::string_view key) const {
  static const Json none;
  const auto it = unknown_.find("/" + std::string(key));
  return it == unknown_.end() ? none : *it;
}

Result<Edit> GraphDoc::apply(const Edit& edit) {
  Edit undo;
  const auto roll_back = [&](Error why) {
    for (auto put = undo.rbegin(); put != undo.rend(); ++put) exchange(*put);
    return why;
  };
  for (const Put& put : edit) {
    if (const Status fine = check(put); !fine) return roll_back(fine.error());
    undo.push_back(exchange(put));
  }
  if (std::any_of(edit.begin(), edit.end(), may_nest_blocks))
    if (const std::string name = cyclic_block(blocks_); !name.empty())
      return roll_back(fail(Errc::other, NW_TR("The block {0} would contain itself"), name));
  std::reverse(undo.begin(), undo.end());
  return undo;
}

std::string GraphDoc::free_name(const std::string& scope, const std::string& stem) const {
  const auto& nodes = graph(scope).nodes;
  std::vector<bool> used(nodes.size() + 2, false);  // pigeonhole principle: n names leave one of n + 1 numbers unused
  for (const auto& [id, node] : nodes) {
    const std::string_view name = node.name;
    if (!name.starts_with(stem) || name.size() == stem.size() || name.size() > stem.size() + 9) continue;
    const std::string_view digits = name.substr(stem.size());
    if (digits[0] == '0' || digits.find_first_not_of("0123456789") != digits.npos) continue;
    if (const std::size_t n = std::stoul(std::string(digits)); n < used.size()) used[n] = true;
  }
  std::size_t n = 1;
  while (n < used.size() && used[n]) ++n;
  return stem + std::to_string(n);
}

bool GraphDoc::operator==(const GraphDoc& other) const {
  return main_ == other.main_ && blocks_ == other.blocks_ && data_ == other.data_ && settings_ == other.settings_ &&
         unknown_ == other.unknown_;
}

}  // namespace nw
