// SPDX-License-Identifier: Apache-2.0
// From the graph to a flat list of layers: layer types are looked up, attributes evaluated and checked, blocks expanded
// and repeated.
#include <algorithm>
#include <utility>

#include "engine/compile/context.hpp"
#include "engine/design/block_names.hpp"

namespace nw::compiling {
namespace {

using Parameters = std::map<std::string, std::int64_t>;
constexpr std::size_t node_limit = 100000, port_limit = 1'000'000;
constexpr int depth_limit = 16;

/// Input and output nodes of an expanded instance, by port.
struct BlockPorts {
  std::vector<int> in, out;
  bool block = false;  // a layer is one node for all its ports; a block has one node per port
};

class Expander {
 public:
  explicit Expander(Context& c) : c_(c) {}

  BlockPorts graph(const std::string& scope, const std::string& prefix, const Parameters& parameters, int depth) {
    BlockPorts ends;
    std::map<NodeId, BlockPorts> made;
    const Graph& g = c_.doc.graph(scope);
    for (const auto& [id, node] : g.nodes) {
      if (full()) break;
      made[id] = node.type == "Block" ? block(scope, id, node, prefix, parameters, depth)
                                      : layer(scope, id, node, prefix, parameters);
      if (node.type == "BlockInput" && !made[id].in.empty()) ends.in.push_back(made[id].in[0]);
      if (node.type == "BlockOutput" && !made[id].in.empty()) ends.out.push_back(made[id].in[0]);
    }
    const auto by_port = [&](int a, int b) { return port_of(a) < port_of(b); };
    std::stable_sort(ends.in.begin(), ends.in.end(), by_port);
    std::stable_sort(ends.out.begin(), ends.out.end(), by_port);
    for (const Connection& w : g.connections) wire(w, made);
    return ends;
  }

  bool full() const { return c_.nodes.size() > node_limit || ports_exceeded_; }
  bool ports_exceeded() const { return ports_exceeded_; }

 private:
  /// False: its inputs are more than all of a network's may be. Ports are numbered by the file, so each one counts that
  /// the highest number makes room for.
  bool take_ports(std::size_t more) {
    if (ports_ + more > port_limit) ports_exceeded_ = true;
    if (!ports_exceeded_) ports_ += more;
    return !ports_exceeded_;
  }

  /// What the instances that contain a layer say about its training.
  struct OuterTraining {
    std::int64_t frozen_epochs = 0;
    double lr_scale = 1;
    std::int64_t stage = -1;
  };
  static std::int64_t frozen_epochs(const Node& n) { return n.frozen ? never_trained : n.frozen_epochs; }

  std::int64_t port_of(int flat) const { return c_.nodes[static_cast<std::size_t>(flat)].attrs.integer("port"); }

  void wire(const Connection& w, std::map<NodeId, BlockPorts>& made) {
    const auto from = made.find(w.from), to = made.find(w.to);
    if (from == made.end() || to == made.end()) return;
    const auto& outs = from->second.out;
    const auto& ins = to->second.in;
    if (w.from_port < 0 || static_cast<std::size_t>(w.from_port) >= outs.size() || ins.empty()) return;
    const bool is_block = to->second.block;
    const std::size_t entry = is_block ? static_cast<std::size_t>(w.to_port) : 0;
    if (w.to_port < 0 || entry >= ins.size()) return;
    FlatNode& node = c_.nodes[static_cast<std::size_t>(ins[entry])];
    const std::size_t port = is_block ? 0 : static_cast<std::size_t>(w.to_port);
    if (port > 4096) return;
    if (node.inputs.size() <= port) {
      if (!take_ports(port + 1 - node.inputs.size())) return;
      node.inputs.resize(port + 1, -1);
      node.wires.resize(port + 1);
    }
    node.inputs[port] = outs[static_cast<std::size_t>(w.from_port)];
    node.wires[port] = w;
  }

  BlockPorts layer(const std::string& scope, NodeId id, const Node& node, const std::string& prefix,
                   const Parameters& parameters) {
    const LayerType* type = find_layer(node.type);
    if (!type) {
      c_.report_at(Severity::error, scope, id,
                   text(NW_TR("There is no layer \"{0}\"; did you mean {1}?"), node.type, nearest_layer(node.type)));
      return {};
    }
    FlatNode flat;
    flat.type = type;
    flat.name = prefix + node.name;
    flat.scope = scope;
    flat.node = id;
    flat.instance = instance_;
    flat.blocks = path_;
    flat.frozen_epochs = std::max(outer_.frozen_epochs, frozen_epochs(node));
    flat.frozen = c_.target.epoch < flat.frozen_epochs || flat.frozen_epochs == never_trained;
    flat.lr_scale = outer_.lr_scale * node.lr_scale;
    flat.stage = node.pipeline_stage >= 0 ? node.pipeline_stage : outer_.stage;
    flat.passes_through = type->name == "BlockInput" || type->name == "BlockOutput" || type->name == "Identity" ||
                          (node.bypassed && type->inputs != 0 && !type->loss);
    flat.attrs = attributes(flat, node, parameters);
    check_name(flat, node);
    flat.inputs.assign(static_cast<std::size_t>(std::max(0, type->inputs)), -1);
    flat.wires.resize(flat.inputs.size());
    // Inside an instance the input of a block is fed from outside, through a port that check_connections does not
    // check.
    if (type->name == "BlockInput") {
      flat.inputs.assign(1, -1);
      flat.wires.resize(1);
    }
    c_.nodes.push_back(std::move(flat));
    const int index = static_cast<int>(c_.nodes.size()) - 1;
    BlockPorts ends;
    if (type->inputs != 0 || type->name == "BlockInput") ends.in = {index};
    if (type->outputs != 0 || type->name == "BlockOutput") ends.out = {index};
    return ends;
  }

  BlockPorts block(const std::string& scope, NodeId id, const Node& node, const std::string& prefix,
                   const Parameters& outer, int depth) {
    const auto name = node.attrs.find("block");
    const std::string* block_name = name == node.attrs.end() ? nullptr : std::get_if<std::string>(&name->second);
    if (!block_name || block_name->empty() || !c_.doc.has_scope(*block_name)) {
      c_.report_at(Severity::error, scope, id,
                   text(NW_TR("The block \"{0}\" is not in this project"), block_name ? *block_name : ""));
      return {};
    }
    if (depth >= depth_limit) {
      c_.report_at(Severity::error, scope, id, text(NW_TR("Blocks are nested more than {0} levels deep"), depth_limit));
      return {};
    }
    Parameters inner;
    for (const BlockParameter& p : c_.doc.blocks().at(*block_name).parameters)
      inner[p.name] = integer(scope, id, node, p.name, p.value, outer);
    const std::int64_t repeat = std::clamp<std::int64_t>(integer(scope, id, node, "repeat", 1, outer), 1, 1000);
    BlockPorts all{.block = true};
    const auto shared = std::make_shared<const Parameters>(inner);
    if (depth == 0) instance_ = id;
    const OuterTraining around =
        std::exchange(outer_, {std::max(outer_.frozen_epochs, frozen_epochs(node)), outer_.lr_scale * node.lr_scale,
                               node.pipeline_stage >= 0 ? node.pipeline_stage : outer_.stage});
    for (std::int64_t k = 0; k < repeat; ++k) {
      if (full() || ++instances_ > node_limit) break;
      path_.push_back({instance_name(prefix + node.name, repeat, k), *block_name, shared});
      BlockPorts one = graph(*block_name, path_.back().name + ".", inner, depth + 1);
      path_.pop_back();
      if (k == 0)
        enter(all, one, scope, id);
      else if (!one.in.empty() && !all.out.empty())
        c_.nodes[static_cast<std::size_t>(one.in[0])].inputs[0] = all.out[0];
      all.out = one.out;
    }
    outer_ = around;
    if (depth == 0) instance_ = 0;
    if (node.bypassed && !all.in.empty()) all.out = all.in;
    return all;
  }

  /// The inputs of the first repeat are the instance's; their problems are reported at the instance.
  void enter(BlockPorts& all, const BlockPorts& first, const std::string& scope, NodeId id) {
    all.in = first.in;
    for (std::size_t port = 0; port < first.in.size(); ++port) {
      FlatNode& entry = c_.nodes[static_cast<std::size_t>(first.in[port])];
      entry.outer_scope = scope;
      entry.outer = id;
      entry.outer_port = static_cast<int>(port);
    }
  }

  /// Values of the plan are looked up by name: names must be unique, and three names are reserved for the data set's
  /// values.
  void check_name(const FlatNode& flat, const Node& node) {
    static const std::set<std::string_view> given = {"images", "labels", "targets"};
    const bool reserved = given.contains(flat.name) && flat.type->name != "Input";
    if (!reserved && names_.insert(flat.name).second) return;
    Problem* p =
        c_.report(Severity::error, &flat,
                  reserved ? text(NW_TR("The name {0} is reserved for the data set's values"), flat.name)
                           : text(NW_TR("The name {0} stands for two layers once blocks are expanded"), flat.name));
    if (p)
      p->fixes.push_back({text(NW_TR("Rename it")),
                          rename_node(c_.doc, flat.scope, flat.node, c_.doc.free_name(flat.scope, node.name + "_"))});
  }

  std::int64_t integer(const std::string& scope, NodeId id, const Node& node, const std::string& attr,
                       std::int64_t otherwise, const Parameters& outer) {
    const auto it = node.attrs.find(attr);
    if (it == node.attrs.end()) return otherwise;
    if (const auto* i = std::get_if<std::int64_t>(&it->second)) return *i;
    if (const auto* s = std::get_if<std::string>(&it->second)) {
      const auto value = evaluate(*s, outer);
      if (value) return *value;
      c_.report_at(Severity::error, scope, id, value.error().what);
    }
    return otherwise;
  }

  /// Defaults, replaced by the attributes that are set: formulas are evaluated, types and ranges checked. An invalid
  /// attribute keeps its default.
  Attrs attributes(const FlatNode& flat, const Node& node, const Parameters& parameters) {
    AttrMap values;
    for (const Field& f : flat.type->fields) {
      values[f.name] = f.otherwise;
      const auto it = node.attrs.find(f.name);
      if (it == node.attrs.end()) continue;
      if (auto value = checked(flat, f, it->second, parameters)) values[f.name] = std::move(*value);
    }
    for (const auto& [name, value] : node.attrs) {
      (void)value;
      if (!values.contains(name))
        c_.report(Severity::warning, &flat,
                  text(NW_TR("{0} has no setting \"{1}\"; it is ignored"), flat.type->name, name));
    }
    return Attrs(std::move(values));
  }

  std::optional<Attr> checked(const FlatNode& flat, const Field& f, Attr value, const Parameters& parameters) {
    const bool numbers = f.kind == Field::Kind::integer || f.kind == Field::Kind::pair;
    if (const auto* s = std::get_if<std::string>(&value); s && numbers) {
      const auto number = evaluate(*s, parameters);
      if (!number) {
        c_.report(Severity::error, &flat, number.error().what);
        return std::nullopt;
      }
      value = *number;
    }
    if (f.kind == Field::Kind::pair)
      if (const auto* one = std::get_if<std::int64_t>(&value)) value = std::vector<std::int64_t>{*one, *one};
    if (f.kind == Field::Kind::real)
      if (const auto* whole = std::get_if<std::int64_t>(&value)) value = static_cast<double>(*whole);
    if (!in_range(f, value)) {
      Problem* p = c_.report(Severity::error, &flat, outside(f));
      if (p) p->fixes.push_back(fix_attr(c_, flat, text(NW_TR("Use the default")), f.name, f.otherwise));
      return std::nullopt;
    }
    return value;
  }

  static Text outside(const Field& f) {
    if (f.kind == Field::Kind::boolean) return text(NW_TR("{0} must be true or false"), f.name);
    if (f.kind == Field::Kind::choice) {
      std::string all;
      for (const std::string& c : f.choices) all += (all.empty() ? "" : ", ") + c;
      return text(NW_TR("{0} must be one of {1}"), f.name, all);
    }
    if (f.kind == Field::Kind::text) return text(NW_TR("{0} must be a text of at most {1} bytes"), f.name, f.hi);
    if (f.kind == Field::Kind::sizes)
      return text(NW_TR("{0} must be at most 3 whole numbers between {1} and {2}"), f.name, f.lo, f.hi);
    return text(NW_TR("{0} must be between {1} and {2}"), f.name, f.lo, f.hi);
  }

  Context& c_;
  std::size_t instances_ = 0, ports_ = 0;
  bool ports_exceeded_ = false;
  OuterTraining outer_;  // of the instances that are being expanded
  NodeId instance_ = 0;  // the network's block instance that is being expanded
  std::vector<InstancePath> path_;
  std::set<std::string> names_;
};

/// A block that contains itself, at any depth, would expand without end: the first one is reported and nothing is
/// expanded.
bool contains_itself(Context& c, const std::string& scope, std::vector<std::string>& path,
                     std::set<std::string>& sound) {
  for (const auto& [id, node] : c.doc.graph(scope).nodes) {
    if (node.type != "Block") continue;
    const auto it = node.attrs.find("block");
    const std::string* name = it == node.attrs.end() ? nullptr : std::get_if<std::string>(&it->second);
    if (!name || name->empty() || !c.doc.has_scope(*name)) continue;
    if (std::find(path.begin(), path.end(), *name) != path.end()) {
      c.report_at(Severity::error, scope, id, text(NW_TR("The block \"{0}\" contains itself"), *name));
      return true;
    }
    if (sound.contains(*name)) continue;
    path.push_back(*name);
    if (contains_itself(c, *name, path, sound)) return true;
    path.pop_back();
    sound.insert(*name);
  }
  return false;
}

}  // namespace

void expand_blocks(Context& c) {
  std::vector<std::string> path;
  std::set<std::string> sound;
  if (contains_itself(c, "", path, sound)) return;
  Expander expander(c);
  expander.graph("", "", {}, 0);
  if (expander.ports_exceeded())
    c.report_at(
        Severity::error, "", 0,
        text(NW_TR("The layers have more than {0} inputs once the blocks are repeated; connect fewer inputs, or "
                   "repeat a block less often"),
             port_limit));
  if (c.nodes.size() > node_limit)
    c.report_at(Severity::error, "", 0,
                text(NW_TR("The network has more than {0} layers once its blocks are repeated"), node_limit));
}

}  // namespace nw::compiling
