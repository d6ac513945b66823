// SPDX-License-Identifier: Apache-2.0
// Conflicts of a merge ended one by one. Their side is put into the document's JSON form and read again, so that what
// does not fit is found by the file's own checks.
#include <algorithm>

#include "engine/design/merge_parts.hpp"
#include "engine/design/project_file.hpp"

namespace nw {
namespace {

Error not_possible() {
  return fail(Errc::other, NW_TR("Their side does not fit into the network as it is now; change it by hand"));
}

/// The item with that id in a list of nodes, frames or notes; null: it is not there.
Json* item_in(Json& list, const Json& id) {
  if (!list.is_array()) return nullptr;
  const auto it = std::find_if(list.begin(), list.end(), [&](const Json& one) { return one["id"] == id; });
  return it == list.end() ? nullptr : &*it;
}

void put_member(Json& object, const std::string& name, const Json& value) {
  if (value.is_null())
    object.erase(name);
  else
    object[name] = value;
}

void erase_item(Json& list, const Json& id) {
  for (std::size_t i = list.size(); i-- > 0;)
    if (list[i]["id"] == id) list.erase(i);
}

void erase_connections(Json& graph, const std::function<bool(const Json&)>& which) {
  Json left = Json::array();
  for (const Json& c : graph["connections"])
    if (!which(c)) left.push_back(c);
  graph["connections"] = std::move(left);
}

/// Another layer of that name is renamed by nobody: reading refuses it.
Status put_node_back(Json& graph, const Json& take) {
  const bool whole = take.is_object() && take.contains("node") && take["node"].is_object() &&
                     take.contains("connections") && take["connections"].is_array();
  if (!whole) return not_possible();
  if (item_in(graph["nodes"], take["node"].value("id", Json()))) return not_possible();
  graph["nodes"].push_back(take["node"]);
  for (const Json& c : take["connections"]) {
    if (!c.is_array() || c.size() != 4 || !item_in(graph["nodes"], c[0]) || !item_in(graph["nodes"], c[2])) continue;
    erase_connections(graph, [&](const Json& other) { return other[2] == c[2] && other[3] == c[3]; });
    graph["connections"].push_back(c);
  }
  return {};
}

Status put_input(Json& graph, const MergeConflict& c) {
  const Json port = Json::parse(c.field, nullptr, false);
  if (!port.is_number_integer()) return not_possible();
  erase_connections(graph, [&](const Json& other) { return other[2] == Json(c.node) && other[3] == port; });
  if (c.take.is_null()) return {};
  if (!c.take.is_array() || c.take.size() != 2) return not_possible();
  graph["connections"].push_back({c.take[0], c.take[1], c.node, port});
  return {};
}

Status put_item(Json& list, const MergeConflict& c) {
  const Json id = c.take.is_object() ? c.take.value("id", Json()) : Json();
  if (!id.is_number_integer()) return not_possible();
  Json* item = item_in(list, id);
  if (c.kind == ConflictKind::removed_theirs) {
    erase_item(list, id);
  } else if (c.kind == ConflictKind::removed_ours) {
    if (item || !c.take.contains("item")) return not_possible();
    list.push_back(c.take["item"]);
  } else {
    if (!item) return not_possible();
    put_member(*item, c.field, c.take.value("value", Json()));
  }
  return {};
}

Status put_in_graph(Json& graph, const MergeConflict& c) {
  if (c.what == "frame" && c.node == 0 && c.take.is_object() && c.take.contains("id"))
    return put_item(graph["frames"], c);
  if (c.what == "note" && c.node == 0 && c.take.is_object() && c.take.contains("id"))
    return put_item(graph["notes"], c);
  if (c.kind == ConflictKind::removed_ours) return put_node_back(graph, c.take);
  Json* node = item_in(graph["nodes"], c.node);
  if (!node) return not_possible();
  switch (c.kind) {
    case ConflictKind::removed_theirs:
      erase_connections(graph, [&](const Json& other) { return other[0] == Json(c.node) || other[2] == Json(c.node); });
      erase_item(graph["nodes"], c.node);
      return {};
    case ConflictKind::input:
      return put_input(graph, c);
    case ConflictKind::field: {
      Json flat = flat_node(*node);
      put_member(flat, c.field, c.take);
      *node = nested_node(flat);
      return {};
    }
    case ConflictKind::removed_ours:
      break;
  }
  return not_possible();
}

/// A definition as a whole, or one of its parameters.
Status put_block(Json& blocks, const MergeConflict& c) {
  if (c.kind != ConflictKind::field) {
    put_member(blocks, c.scope, c.take);
    return {};
  }
  if (!blocks.contains(c.scope)) return not_possible();
  Json& parameters = blocks[c.scope]["parameters"];
  for (std::size_t i = parameters.size(); i-- > 0;)
    if (parameters[i]["name"] == c.field) parameters.erase(i);
  if (!c.take.is_null()) parameters.push_back({{"name", c.field}, {"value", c.take}});
  return {};
}

Status put_theirs(Json& json, const MergeConflict& c) {
  const bool outside = c.scope.empty() && c.node == 0 && c.kind == ConflictKind::field;
  if (outside && (c.what == "data" || c.what == "training")) {
    put_member(json[c.what], c.field, c.take);
    return {};
  }
  if (outside && c.what.empty()) {
    for (const char* part : {"format", "network", "blocks", "data", "training", conflicts_key})
      if (c.field == part) return not_possible();
    put_member(json, c.field, c.take);
    return {};
  }
  if (c.what.empty() && !c.scope.empty()) return put_block(json["blocks"], c);
  if (!c.scope.empty() && !json["blocks"].contains(c.scope)) return not_possible();
  return put_in_graph(c.scope.empty() ? json["network"] : json["blocks"][c.scope]["network"], c);
}

template <class Map, class Make>
void put_differences(const Map& from, const Map& to, Edit& edit, const Make& make) {
  for (const auto& [id, item] : from)
    if (!to.contains(id)) edit.push_back(make(id, std::nullopt));
  for (const auto& [id, item] : to)
    if (const auto old = from.find(id); old == from.end() || !(old->second == item)) edit.push_back(make(id, item));
}

/// Names may change places: those that are taken until then go by way of another one.
void free_taken_names(const Graph& from, const Graph& to, Edit& edit) {
  std::map<std::string, NodeId> owners;
  for (const auto& [id, node] : from.nodes) owners[node.name] = id;
  for (const auto& [id, node] : to.nodes) {
    const auto owner = owners.find(node.name);
    if (owner == owners.end() || owner->second == id || !to.nodes.contains(owner->second)) continue;
    Node aside = from.nodes.at(owner->second);
    aside.name = "merged_" + std::to_string(owner->second);
    edit.push_back(PutNode{"", owner->second, std::move(aside)});
  }
}

void put_graph(const Graph& from, const Graph& to, Edit& edit) {
  const auto missing = [](const std::vector<Connection>& all, const Connection& c) {
    return !std::binary_search(all.begin(), all.end(), c);
  };
  for (const Connection& c : from.connections)
    if (missing(to.connections, c)) edit.push_back(PutConnection{"", c, false});
  free_taken_names(from, to, edit);
  put_differences(from.nodes, to.nodes, edit, [](NodeId id, std::optional<Node> n) {
    return PutNode{"", id, std::move(n)};
  });
  for (const Connection& c : to.connections)
    if (missing(from.connections, c)) edit.push_back(PutConnection{"", c, true});
  put_differences(from.frames, to.frames, edit, [](ItemId id, std::optional<Frame> f) {
    return PutFrame{"", id, std::move(f)};
  });
  put_differences(from.notes, to.notes, edit, [](ItemId id, std::optional<Note> n) {
    return PutNote{"", id, std::move(n)};
  });
}

}  // namespace

Edit edit_between(const GraphDoc& from, const GraphDoc& to) {
  Edit edit, last;
  for (const auto& [name, block] : from.blocks())
    if (!to.blocks().contains(name)) last.push_back(PutBlock{name, std::nullopt});
  for (const auto& [name, block] : to.blocks())
    if (const auto old = from.blocks().find(name); old == from.blocks().end() || !(old->second == block))
      edit.push_back(PutBlock{name, block});
  put_graph(from.graph(), to.graph(), edit);
  if (!(from.data() == to.data())) edit.push_back(PutData{to.data()});
  if (!(from.settings() == to.settings())) edit.push_back(PutSettings{to.settings()});
  for (const std::string_view part : extra_parts)
    if (from.extra(part) != to.extra(part)) edit.push_back(PutExtra{std::string(part), to.extra(part)});
  edit.insert(edit.end(), last.begin(), last.end());
  return edit;
}

Result<Edit> resolve(const GraphDoc& doc, const MergeConflict& c, MergeSide side) {
  Json left = Json::array();
  for (const Json& one : doc.extra(conflicts_key))
    if (read_conflict(one) != c) left.push_back(one);
  if (left.size() == doc.extra(conflicts_key).size())
    return fail(Errc::other, NW_TR("The project does not have this conflict any more"));
  const PutExtra end{conflicts_key, left.empty() ? Json() : left};
  if (side == MergeSide::ours) return Edit{end};
  Json json = ProjectFile::json(doc);
  NW_TRY(put_theirs(json, c));
  put_member(json, conflicts_key, end.value);
  const auto made = ProjectFile::from_json(json, "merge");
  if (!made) return not_possible();
  Edit edit = edit_between(doc, *made);
  GraphDoc tried = doc;
  if (!tried.apply(edit)) return not_possible();
  return edit;
}

}  // namespace nw
