// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/core/json_part.hpp"
#include "engine/design/json_form.hpp"
#include "engine/design/layer_type.hpp"
#include "engine/design/merge_parts.hpp"

namespace nw {
namespace {

const Json absent;

const Json& at_or_absent(const std::map<NodeId, Json>& all, NodeId id) {
  const auto it = all.find(id);
  return it == all.end() ? absent : it->second;
}

/// Where it stands and how it is drawn is no conflict: our side stands.
bool is_appearance(std::string_view field) {
  return field == "x" || field == "y" || field == "width" || field == "height" || field == "collapsed";
}

/// What a node computes: without its number, place and look.
Json function_of(Json node) {
  for (const char* key : {"id", "x", "y", "collapsed"}) node.erase(key);
  return node;
}

std::map<NodeId, Json> by_id(const Json& list) {
  std::map<NodeId, Json> all;
  for (const Json& item : list) all.emplace(item["id"].get<NodeId>(), item);
  return all;
}

Json as_list(const std::map<NodeId, Json>& all) {
  Json list = Json::array();
  for (const auto& [id, item] : all) list.push_back(item);
  return list;
}

std::string free_name_of(std::string stem, const std::set<std::string>& used) {
  while (!stem.empty() && stem.back() >= '0' && stem.back() <= '9') stem.pop_back();
  for (std::size_t n = 1;; ++n)
    if (std::string name = stem + std::to_string(n); !used.contains(name)) return name;
}

bool joins_any_count(const Json& node) {
  const LayerType* type = find_layer(node["type"].get<std::string>());
  return type && type->inputs < 0;
}

}  // namespace

Json flat_node(Json node) {
  if (!node.is_object()) return Json::object();
  const auto attrs = node.find("attrs");
  if (attrs == node.end()) return node;
  const Json inner = *attrs;
  node.erase("attrs");
  for (const auto& [name, value] : inner.items()) node["attrs." + name] = value;
  return node;
}

Json nested_node(const Json& flat) {
  Json node = Json::object();
  for (const auto& [name, value] : flat.items())
    if (name.starts_with("attrs."))
      object_in(node, "attrs")[name.substr(6)] = value;
    else
      node[name] = value;
  return node;
}

GraphMerge::GraphMerge(std::string scope, const Graph& base, const Graph& ours, const Graph& theirs, NodeId& next,
                       Merge& out)
    : scope_(std::move(scope)),
      next_(next),
      out_(out),
      base_(side_of(base)),
      ours_(side_of(ours)),
      theirs_(side_of(theirs)) {}

GraphMerge::Side GraphMerge::side_of(const Graph& g) {
  const Json json = to_json(g);
  Side side{by_id(json["nodes"]), by_id(json["frames"]), by_id(json["notes"]), {}};
  for (const Connection& c : g.connections) side.inputs[{c.to, c.to_port}] = {c.from, c.from_port};
  return side;
}

void GraphMerge::give_id(Side& side, NodeId from, NodeId to) {
  auto node = side.nodes.extract(from);
  node.key() = to;
  node.mapped()["id"] = to;
  side.nodes.insert(std::move(node));
  Inputs renamed;
  const auto moved = [&](const Input& end) { return end.first == from ? Input{to, end.second} : end; };
  for (const auto& [input, output] : side.inputs) renamed.emplace(moved(input), moved(output));
  side.inputs = std::move(renamed);
}

/// A layer that the other side added as well, with the same name and function.
std::optional<NodeId> GraphMerge::twin(const Side& other, const Json& node) const {
  for (const auto& [id, candidate] : other.nodes)
    if (!base_.nodes.contains(id) && function_of(candidate) == function_of(node)) return id;
  return std::nullopt;
}

// A number that a removed layer of the ancestor had may have been given to a new layer: one of another type and name is
// another layer. Numbers of new layers of the two sides say nothing about each other.
void GraphMerge::number_anew(Side& side, const Side* other) {
  std::vector<NodeId> foreign;
  for (const auto& [id, node] : side.nodes) {
    const Json& before = at_or_absent(base_.nodes, id);
    const bool reused = !before.is_null() && before["type"] != node["type"] && before["name"] != node["name"];
    if (reused || (before.is_null() && other)) foreign.push_back(id);
  }
  for (const NodeId id : foreign) give_id(side, id, next_++);
  if (!other) return;
  for (auto id = foreign.begin(); id != foreign.end(); ++id) {
    const NodeId now = next_ - static_cast<NodeId>(foreign.end() - id);
    if (const auto same = twin(*other, side.nodes.at(now)); same && !side.nodes.contains(*same))
      give_id(side, now, *same);
  }
}

std::string GraphMerge::name_at(NodeId id) const {
  for (const Side* side : {&merged_, &ours_, &theirs_, &base_})
    if (const auto it = side->nodes.find(id); it != side->nodes.end()) return it->second["name"].get<std::string>();
  return "";
}

void GraphMerge::report(MergeConflict c) {
  c.scope = scope_;
  if (c.node != 0 && c.what.empty()) c.what = name_at(c.node);
  if (!merged_.nodes.contains(c.node)) c.node = 0;
  out_.conflicts.push_back(std::move(c));
}

/// Whether a side gave the layer another function, other inputs or another reader.
bool GraphMerge::changed(const Side& side, NodeId id) const {
  if (function_of(side.nodes.at(id)) != function_of(base_.nodes.at(id))) return true;
  const auto differs = [&](const Inputs& a, const Inputs& b, bool outputs) {
    return std::any_of(a.begin(), a.end(), [&](const auto& c) {
      if (c.first.first != id && !(outputs && c.second.first == id)) return false;
      const auto other = b.find(c.first);
      return other == b.end() || other->second != c.second;
    });
  };
  return differs(side.inputs, base_.inputs, true) || differs(base_.inputs, side.inputs, false);
}

// A conflict leaves our side: the connections of a layer that only they removed stay, too.
void GraphMerge::keep_connections_of(NodeId id) {
  for (const auto& [input, output] : base_.inputs)
    if (input.first == id || output.first == id) theirs_.inputs[input] = output;
}

void GraphMerge::merge_removed(NodeId id, bool by_us) {
  const Side& other = by_us ? theirs_ : ours_;
  if (!changed(other, id)) return;
  if (!by_us) {
    merged_.nodes[id] = ours_.nodes.at(id);
    keep_connections_of(id);
  }
  report({.kind = by_us ? ConflictKind::removed_ours : ConflictKind::removed_theirs,
          .what = other.nodes.at(id)["name"].get<std::string>(),
          .node = id,
          .take = by_us ? node_to_take(theirs_, id) : Json()});
}

/// The layer with its connections, as resolve() takes it.
Json GraphMerge::node_to_take(const Side& side, NodeId id) const {
  Json connections = Json::array();
  for (const auto& [input, output] : side.inputs)
    if (input.first == id || output.first == id)
      connections.push_back({output.first, output.second, input.first, input.second});
  return {{"node", side.nodes.at(id)}, {"connections", std::move(connections)}};
}

void GraphMerge::merge_node(NodeId id) {
  const Json &base = at_or_absent(base_.nodes, id), &ours = at_or_absent(ours_.nodes, id),
             &theirs = at_or_absent(theirs_.nodes, id);
  if (!base.is_null() && (ours.is_null() || theirs.is_null())) {
    if (!ours.is_null() || !theirs.is_null()) merge_removed(id, ours.is_null());
    return;
  }
  if (ours.is_null() || theirs.is_null()) {
    merged_.nodes[id] = ours.is_null() ? theirs : ours;
    return;
  }
  const auto conflict = [&](const std::string& field, const Json& b, const Json& o, const Json& t) {
    if (!is_appearance(field))
      report({.node = id,
              .field = field,
              .base = merge_text(b),
              .ours = merge_text(o),
              .theirs = merge_text(t),
              .take = t});
  };
  merged_.nodes[id] = ours;  // names in messages
  merged_.nodes[id] = nested_node(merge_members(flat_node(base), flat_node(ours), flat_node(theirs), conflict));
}

void GraphMerge::merge_nodes() {
  std::set<NodeId> ids;
  for (const Side* side : {&base_, &ours_, &theirs_})
    for (const auto& [id, node] : side->nodes) ids.insert(id);
  for (const NodeId id : ids) merge_node(id);
  free_names();
}

/// A layer that has its name from the other side gets another where ours has that one.
void GraphMerge::free_names() {
  std::set<std::string> used;
  std::vector<NodeId> later;
  for (const auto& [id, node] : merged_.nodes) {
    const Json& ours = at_or_absent(ours_.nodes, id);
    const auto name = node["name"].get<std::string>();
    if (ours.is_null() || ours["name"] != name || !used.insert(name).second) later.push_back(id);
  }
  for (const NodeId id : later) {
    Json& name = merged_.nodes.at(id)["name"];
    const auto wanted = name.get<std::string>();
    if (used.insert(wanted).second) continue;
    name = free_name_of(wanted, used);
    used.insert(name.get<std::string>());
    out_.notes.push_back(
        text(NW_TR("their layer {0} is called {1} here: ours has another {0}"), wanted, name.get<std::string>()));
  }
}

std::string GraphMerge::output_text(const Inputs& inputs, const Input& input) const {
  const auto it = inputs.find(input);
  if (it == inputs.end()) return "";
  const std::string name = name_at(it->second.first);
  return it->second.second == 0 ? name : name + ":" + std::to_string(it->second.second);
}

/// Of a layer that takes any number of inputs both new ones are connected.
bool GraphMerge::move_to_free_input(const Input& input, const Input& output) {
  const auto node = merged_.nodes.find(input.first);
  if (node == merged_.nodes.end() || base_.inputs.contains(input) || !joins_any_count(node->second)) return false;
  Input free = input;
  while (ours_.inputs.contains(free) || theirs_.inputs.contains(free) || merged_.inputs.contains(free)) ++free.second;
  merged_.inputs[free] = output;
  out_.notes.push_back(text(NW_TR("{0}: their new input is input {1} here, since ours has a new one too"),
                            name_at(input.first), free.second + 1));
  return true;
}

void GraphMerge::merge_input(const Input& input) {
  const auto find = [&](const Inputs& all) {
    const auto it = all.find(input);
    return it == all.end() ? std::optional<Input>() : std::optional(it->second);
  };
  const auto base = find(base_.inputs), ours = find(ours_.inputs), theirs = find(theirs_.inputs);
  const auto& chosen = ours == base ? theirs : ours;
  if (chosen && merged_.nodes.contains(input.first) && merged_.nodes.contains(chosen->first))
    merged_.inputs[input] = *chosen;
  if (ours == base || theirs == base || ours == theirs) return;
  if (!merged_.nodes.contains(input.first)) return;  // its removal has been reported
  if (ours && theirs && move_to_free_input(input, *theirs)) return;
  report({.kind = ConflictKind::input,
          .node = input.first,
          .field = std::to_string(input.second),
          .base = output_text(base_.inputs, input),
          .ours = output_text(ours_.inputs, input),
          .theirs = output_text(theirs_.inputs, input),
          .take = theirs ? Json{theirs->first, theirs->second} : Json()});
}

void GraphMerge::merge_inputs() {
  std::set<Input> all;
  for (const Side* side : {&base_, &ours_, &theirs_})
    for (const auto& [input, output] : side->inputs) all.insert(input);
  for (const Input& input : all) merge_input(input);
}

/// One that a side removed and the other wrote another text into stays or goes as on our side.
void GraphMerge::merge_removed_item(const Items& items, NodeId id, std::map<NodeId, Json>& into) {
  const Json &before = items.base.at(id), &mine = at_or_absent(items.ours, id), &other = at_or_absent(items.theirs, id);
  const Json& left = mine.is_null() ? other : mine;
  if (left.is_null()) return;
  const auto word = [](const Json& item) { return item.value("text", item.value("title", "")); };
  if (word(left) == word(before)) {
    into.erase(id);
    return;
  }
  report({.kind = mine.is_null() ? ConflictKind::removed_ours : ConflictKind::removed_theirs,
          .what = items.kind,
          .base = word(before),
          .ours = mine.is_null() ? "" : word(mine),
          .theirs = other.is_null() ? "" : word(other),
          .take = {{"id", id}, {"item", other}}});
}

void GraphMerge::merge_item(const Items& items, NodeId id, std::map<NodeId, Json>& into) {
  const Json &before = at_or_absent(items.base, id), &mine = at_or_absent(items.ours, id), &item = items.theirs.at(id);
  if (!before.is_null()) {
    const auto conflict = [&](const std::string& field, const Json& b, const Json& o, const Json& t) {
      if (!is_appearance(field))
        report({.what = items.kind,
                .field = field,
                .base = merge_text(b),
                .ours = merge_text(o),
                .theirs = merge_text(t),
                .take = {{"id", id}, {"value", t}}});
    };
    into[id] = merge_members(before, mine, item, conflict);
  } else if (mine != item) {
    const NodeId free = mine.is_null() && !merged_.nodes.contains(id) ? id : next_++;
    into[free] = item;
    into[free]["id"] = free;
  }
}

std::map<NodeId, Json> GraphMerge::merge_items(const Items& items) {
  std::map<NodeId, Json> into = items.ours;
  for (const auto& [id, item] : items.base)
    if (!items.ours.contains(id) || !items.theirs.contains(id)) merge_removed_item(items, id, into);
  for (const auto& [id, item] : items.theirs)
    if (items.ours.contains(id) || !items.base.contains(id)) merge_item(items, id, into);
  return into;
}

Json GraphMerge::run() {
  number_anew(ours_, nullptr);
  number_anew(theirs_, &ours_);
  merge_nodes();
  merge_inputs();
  merged_.frames = merge_items({"frame", base_.frames, ours_.frames, theirs_.frames});
  merged_.notes = merge_items({"note", base_.notes, ours_.notes, theirs_.notes});
  Json connections = Json::array();
  for (const auto& [input, output] : merged_.inputs)
    connections.push_back({output.first, output.second, input.first, input.second});
  return {{"nodes", as_list(merged_.nodes)},
          {"connections", std::move(connections)},
          {"frames", as_list(merged_.frames)},
          {"notes", as_list(merged_.notes)}};
}

}  // namespace nw
