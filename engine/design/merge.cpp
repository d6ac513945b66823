// SPDX-License-Identifier: Apache-2.0
#include "engine/design/merge.hpp"

#include <algorithm>
#include <array>

#include "engine/core/enum_names.hpp"
#include "engine/core/is_text.hpp"
#include "engine/design/json_form.hpp"
#include "engine/design/merge_parts.hpp"
#include "engine/design/names.hpp"
#include "engine/design/project_file.hpp"

namespace nw {
namespace {

constexpr std::size_t most_recorded = 10'000;

const Block no_block;

/// The whole document as JSON, with no earlier conflicts.
Json without_record(const GraphDoc& doc) {
  Json json = ProjectFile::json(doc);
  json.erase(conflicts_key);
  return json;
}

Json parameters_by_name(const Block& block) {
  Json all = Json::object();
  for (const BlockParameter& p : block.parameters) all[p.name] = p.value;
  return all;
}

/// The three documents of a merge.
struct DocumentMerge {
  const GraphDoc &base, &ours, &theirs;
  NodeId next;
  Merge out;

  Json members(const Json& b, const Json& o, const Json& t, const std::string& scope, const std::string& what) {
    return merge_members(b, o, t, [&](const std::string& field, const Json& x, const Json& y, const Json& z) {
      out.conflicts.push_back({.scope = scope,
                               .what = what,
                               .field = field,
                               .base = merge_text(x),
                               .ours = merge_text(y),
                               .theirs = merge_text(z),
                               .take = z});
    });
  }

  /// Ours in its order, then what they added.
  Json parameters(const std::string& name, const Block& b, const Block& o, const Block& t) {
    const Json values = members(parameters_by_name(b), parameters_by_name(o), parameters_by_name(t), name, "");
    Json list = Json::array();
    std::set<std::string> listed;
    for (const Block* side : {&o, &t})
      for (const BlockParameter& p : side->parameters)
        if (values.contains(p.name) && listed.insert(p.name).second)
          list.push_back({{"name", p.name}, {"value", values[p.name]}});
    return list;
  }

  Json block(const std::string& name, const Block& b, const Block& o, const Block& t) {
    return {{"parameters", parameters(name, b, o, t)},
            {"network", GraphMerge(name, b.graph, o.graph, t.graph, next, out).run()}};
  }

  /// A definition that one side removed and the other has changed stays or goes as on our side.
  void one_block(const std::string& name, Json& into) {
    const auto find = [&](const GraphDoc& doc) {
      const auto it = doc.blocks().find(name);
      return it == doc.blocks().end() ? nullptr : &it->second;
    };
    const Block *b = find(base), *o = find(ours), *t = find(theirs);
    if (b && (!o || !t)) {
      const Block* left = o ? o : t;
      if (!left || *left == *b) return;
      out.conflicts.push_back({.kind = o ? ConflictKind::removed_theirs : ConflictKind::removed_ours,
                               .scope = name,
                               .take = t ? to_json(*t) : Json()});
      if (o) into[name] = to_json(*o);
      return;
    }
    if (o || t) into[name] = block(name, b ? *b : no_block, o ? *o : b ? *b : no_block, t ? *t : b ? *b : no_block);
  }

  Json blocks() {
    std::set<std::string> names;
    for (const GraphDoc* doc : {&base, &ours, &theirs})
      for (const auto& [name, definition] : doc->blocks()) names.insert(name);
    Json all = Json::object();
    for (const std::string& name : names) one_block(name, all);
    return all;
  }

  /// A definition that one side removed, while the other placed another instance of it, is still needed.
  void keep_used_blocks(Json& merged) {
    std::vector<Json> graphs{merged["network"]};
    for (const auto& [name, definition] : merged["blocks"].items()) graphs.push_back(definition["network"]);
    while (!graphs.empty()) {
      const Json graph = std::move(graphs.back());
      graphs.pop_back();
      for (const Json& node : graph["nodes"]) {
        const std::string name = is_text(node["type"], "Block") && node.contains("attrs") &&
                                         node["attrs"].contains("block") && node["attrs"]["block"].is_string()
                                     ? node["attrs"]["block"].get<std::string>()
                                     : std::string();
        if (name.empty() || merged["blocks"].contains(name)) continue;
        for (const GraphDoc* doc : {&ours, &theirs})
          if (const auto it = doc->blocks().find(name); it != doc->blocks().end()) {
            merged["blocks"][name] = to_json(it->second);
            graphs.push_back(merged["blocks"][name]["network"]);
            break;
          }
      }
    }
  }

  Json run() {
    const Json b = without_record(base), o = without_record(ours), t = without_record(theirs);
    std::array<Json, 3> outer{b, o, t};
    for (Json& side : outer)
      for (const char* part : {"network", "blocks", "data", "training"}) side.erase(part);
    Json merged = members(outer[0], outer[1], outer[2], "", "");
    merged["network"] = GraphMerge("", base.graph(), ours.graph(), theirs.graph(), next, out).run();
    merged["blocks"] = blocks();
    keep_used_blocks(merged);
    merged["data"] = members(b["data"], o["data"], t["data"], "", "data");
    merged["training"] = members(b["training"], o["training"], t["training"], "", "training");
    return merged;
  }
};

std::string place_of(const MergeConflict& c) {
  if (c.scope.empty() || c.what.empty()) return c.scope + c.what;
  return c.scope + "/" + c.what;
}

std::string_view field_name(const MergeConflict& c) {
  return c.field.starts_with("attrs.") ? std::string_view(c.field).substr(6) : std::string_view(c.field);
}

}  // namespace

std::optional<MergeConflict> read_conflict(const Json& json) {
  JsonReader r(json, "conflicts");
  const auto kind = named<ConflictKind>(r.string("kind"));
  MergeConflict c{.scope = r.string("scope"), .what = r.string("what")};
  c.node = r.integer("node", 0, std::int64_t{1} << 52);
  c.field = r.string("field");
  c.base = r.string("base");
  c.ours = r.string("ours");
  c.theirs = r.string("theirs");
  if (r.has("take")) c.take = json["take"];
  if (!kind || !r.status()) return std::nullopt;
  c.kind = *kind;
  return c;
}

Json to_json(const MergeConflict& c) {
  return {{"kind", name_of(c.kind)}, {"scope", c.scope}, {"what", c.what},     {"node", c.node}, {"field", c.field},
          {"base", c.base},          {"ours", c.ours},   {"theirs", c.theirs}, {"take", c.take}};
}

std::string merge_text(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Json merge_members(const Json& base, const Json& ours, const Json& theirs,
                   const std::function<void(const std::string&, const Json&, const Json&, const Json&)>& conflict) {
  std::set<std::string> names;
  for (const Json* side : {&base, &ours, &theirs})
    for (const auto& [name, value] : side->items()) names.insert(name);
  const auto of = [](const Json& side, const std::string& name) { return side.contains(name) ? side[name] : Json(); };
  Json merged = Json::object();
  for (const std::string& name : names) {
    const Json b = of(base, name), o = of(ours, name), t = of(theirs, name);
    if (const Json& chosen = o == b ? t : o; !chosen.is_null()) merged[name] = chosen;
    if (o != b && t != b && o != t) conflict(name, b, o, t);
  }
  return merged;
}

std::string_view name_of(ConflictKind kind) {
  switch (kind) {
    case ConflictKind::field:
      return "field";
    case ConflictKind::removed_ours:
      return "removed_ours";
    case ConflictKind::removed_theirs:
      return "removed_theirs";
    case ConflictKind::input:
      return "input";
  }
  return "";
}

Text sentence_of(const MergeConflict& c) {
  const std::string place = place_of(c);
  const auto value = [](const std::string& text) { return text.empty() ? std::string("–") : text; };
  switch (c.kind) {
    case ConflictKind::field:
      return text(NW_TR("{0}: {1} is {2} on our side and {3} on theirs; it was {4}"), place, field_name(c),
                  value(c.ours), value(c.theirs), value(c.base));
    case ConflictKind::removed_ours:
      return text(NW_TR("{0} was removed on our side and changed on theirs"), place);
    case ConflictKind::removed_theirs:
      return text(NW_TR("{0} was changed on our side and removed on theirs"), place);
    case ConflictKind::input:
      return text(NW_TR("{0}: input {1} comes from {2} on our side and from {3} on theirs; it came from {4}"), place,
                  c.field, value(c.ours), value(c.theirs), value(c.base));
  }
  return {};
}

Text words_of(const MergeConflict& c) {
  const auto value = [](const std::string& text) { return text.empty() ? std::string("–") : text; };
  switch (c.kind) {
    case ConflictKind::field:
      return text(NW_TR("merge: {0} is {1} on our side and {2} on theirs; it was {3}"), field_name(c), value(c.ours),
                  value(c.theirs), value(c.base));
    case ConflictKind::removed_ours:
      return text(NW_TR("merge: removed on our side and changed on theirs"));
    case ConflictKind::removed_theirs:
      return text(NW_TR("merge: changed on our side and removed on theirs"));
    case ConflictKind::input:
      return text(NW_TR("merge: input {0} comes from {1} on our side and from {2} on theirs; it came from {3}"),
                  c.field, value(c.ours), value(c.theirs), value(c.base));
  }
  return {};
}

Result<Merge> merge(const GraphDoc& base, const GraphDoc& ours, const GraphDoc& theirs) {
  DocumentMerge all{base, ours, theirs, std::max({base.next_id(), ours.next_id(), theirs.next_id()}), {}};
  Json merged = all.run();
  if (!all.out.conflicts.empty()) {
    Json record = Json::array();
    for (const MergeConflict& c : all.out.conflicts)
      if (record.size() < most_recorded) record.push_back(to_json(c));
    merged[conflicts_key] = std::move(record);
  }
  NW_ASSIGN(all.out.doc, ProjectFile::from_json(merged, "merge"));
  return std::move(all.out);
}

std::vector<MergeConflict> recorded_conflicts(const GraphDoc& doc) {
  std::vector<MergeConflict> all;
  const Json& record = doc.extra(conflicts_key);
  if (!record.is_array() || record.size() > most_recorded) return all;
  for (const Json& one : record)
    if (auto conflict = read_conflict(one)) all.push_back(*std::move(conflict));
  return all;
}

Result<GraphDoc> without_conflicts(const GraphDoc& doc) { return ProjectFile::from_json(without_record(doc), "merge"); }

}  // namespace nw
