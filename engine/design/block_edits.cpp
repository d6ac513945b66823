// SPDX-License-Identifier: Apache-2.0
// Edits of block definitions: copying a shared one, renaming, parameters, sharing. Grouping and ungrouping are in
// grouping.cpp and ungrouping.cpp.
#include "engine/design/block_edits.hpp"

#include <algorithm>

#include "engine/design/formula.hpp"
#include "engine/design/free_names.hpp"
#include "engine/design/layer_type.hpp"
#include "engine/design/names.hpp"

namespace nw {
namespace {

/// The scope and the id of every instance of `block`.
std::vector<std::pair<std::string, NodeId>> all_instances(const GraphDoc& doc, const std::string& block) {
  std::vector<std::pair<std::string, NodeId>> found;
  const auto look = [&](const std::string& scope, const Graph& g) {
    for (const auto& [id, node] : g.nodes)
      if (node.type == "Block" && block_of(node) == block) found.emplace_back(scope, id);
  };
  look("", doc.graph());
  for (const auto& [name, definition] : doc.blocks()) look(name, definition.graph);
  return found;
}

Status need_block(const GraphDoc& doc, const std::string& block) {
  if (!doc.blocks().contains(block)) return fail(Errc::other, NW_TR("The block {0} is not there"), block);
  return {};
}

/// An attribute as an integer: its value or the default. A pair counts only if both values are equal.
std::optional<std::int64_t> whole_setting(const GraphDoc& doc, const Node& node, const std::string& field) {
  Attr value;
  if (const auto own = node.attrs.find(field); own != node.attrs.end())
    value = own->second;
  else if (const LayerType* type = find_layer(node.type)) {
    const auto known =
        std::find_if(type->fields.begin(), type->fields.end(), [&](const Field& f) { return f.name == field; });
    if (known == type->fields.end()) return std::nullopt;
    value = known->otherwise;
  } else if (const auto inner = doc.blocks().find(block_of(node)); inner != doc.blocks().end()) {
    value = std::int64_t{1};  // the default of "repeat"
    for (const BlockParameter& p : inner->second.parameters)
      if (p.name == field) value = p.value;
  }
  if (const auto* one = std::get_if<std::int64_t>(&value)) return *one;
  const auto* pair = std::get_if<std::vector<std::int64_t>>(&value);
  return pair && pair->size() == 2 && (*pair)[0] == (*pair)[1] ? std::optional((*pair)[0]) : std::nullopt;
}

}  // namespace

std::string free_block_name(const GraphDoc& doc, std::string stem) {
  if (is_name(stem) && !doc.blocks().contains(stem)) return stem;
  while (!stem.empty() && stem.back() >= '0' && stem.back() <= '9') stem.pop_back();
  if (!is_name(stem)) stem = "Block";
  for (int n = stem == "Block" ? 1 : 2;; ++n)
    if (!doc.blocks().contains(stem + std::to_string(n))) return stem + std::to_string(n);
}

int instances_of(const GraphDoc& doc, const std::string& block) {
  return static_cast<int>(all_instances(doc, block).size());
}

Edit make_unique(const GraphDoc& doc, const std::string& scope, const std::vector<NodeId>& instances) {
  Edit edit;
  GraphDoc after = doc;
  std::map<std::string, std::string> own;
  for (const NodeId id : instances) {
    const auto it = doc.graph(scope).nodes.find(id);
    if (it == doc.graph(scope).nodes.end() || !doc.blocks().contains(block_of(it->second))) continue;
    const std::string shared = block_of(it->second);
    if (!own.contains(shared)) {
      own[shared] = free_block_name(after, shared);
      edit.push_back(PutBlock{own[shared], doc.blocks().at(shared)});
      if (!after.apply({edit.back()})) return {};
    }
    Node node = it->second;
    node.attrs["block"] = own[shared];
    edit.push_back(PutNode{scope, id, std::move(node)});
  }
  return edit;
}

Result<Edit> rename_block(const GraphDoc& doc, const std::string& from, const std::string& to) {
  NW_TRY(need_block(doc, from));
  if (from == to) return Edit{};
  if (!is_name(to))
    return fail(Errc::other, NW_TR("\"{0}\" is no name: use letters, digits, _ and ., beginning with a letter"),
                to.substr(0, name_limit));
  if (doc.blocks().contains(to)) return fail(Errc::other, NW_TR("The name {0} is taken"), to);
  Edit edit{PutBlock{to, doc.blocks().at(from)}};
  for (const auto& [scope, id] : all_instances(doc, from)) {
    Node node = doc.graph(scope).nodes.at(id);
    node.attrs["block"] = to;
    edit.push_back(PutNode{scope, id, std::move(node)});
  }
  edit.push_back(PutBlock{from, std::nullopt});
  for (Put& put : renamed_in_search(doc, from + "/", to + "/")) edit.push_back(std::move(put));
  return edit;
}

std::string nearest_block_name(const GraphDoc& doc, std::string_view typed) {
  return free_block_name(doc, nearest_name(typed));
}

Result<Edit> add_parameter(const GraphDoc& doc, const std::string& block, const std::string& name, std::int64_t value) {
  NW_TRY(need_block(doc, block));
  Block changed = doc.blocks().at(block);
  const bool taken = std::any_of(changed.parameters.begin(), changed.parameters.end(),
                                 [&](const BlockParameter& p) { return p.name == name; });
  if (!is_parameter_name(name))
    return fail(Errc::other, NW_TR("\"{0}\" is no name for a parameter: use letters, digits and _"),
                name.substr(0, name_limit));
  if (taken) return fail(Errc::other, NW_TR("The name {0} is taken"), name);
  changed.parameters.push_back({name, value});
  return Edit{PutBlock{block, std::move(changed)}};
}

Result<Edit> expose_setting(const GraphDoc& doc, const std::string& block, NodeId id, const std::string& field) {
  NW_TRY(need_block(doc, block));
  Block changed = doc.blocks().at(block);
  const auto it = changed.graph.nodes.find(id);
  if (it == changed.graph.nodes.end()) return fail(Errc::other, NW_TR("This layer is not there"));
  const std::optional<std::int64_t> value = whole_setting(doc, it->second, field);
  if (!value || !is_parameter_name(field))
    return fail(Errc::other, NW_TR("Only a setting that is a single integer can become a parameter"));
  std::string name = field;
  const auto taken = [&] {
    return std::any_of(changed.parameters.begin(), changed.parameters.end(),
                       [&](const BlockParameter& p) { return p.name == name; });
  };
  for (int n = 2; taken(); ++n) name = field + std::to_string(n);
  changed.parameters.push_back({name, *value});
  it->second.attrs[field] = "$" + name;
  return Edit{PutBlock{block, std::move(changed)}};
}

Result<Edit> remove_parameter(const GraphDoc& doc, const std::string& block, const std::string& name) {
  NW_TRY(need_block(doc, block));
  Block changed = doc.blocks().at(block);
  const auto own = std::find_if(changed.parameters.begin(), changed.parameters.end(),
                                [&](const BlockParameter& p) { return p.name == name; });
  if (own == changed.parameters.end()) return fail(Errc::other, NW_TR("The block has no parameter \"{0}\""), name);
  std::optional<std::int64_t> shared;
  Edit instances;
  for (const auto& [scope, id] : all_instances(doc, block)) {
    Node node = doc.graph(scope).nodes.at(id);
    const auto attr = node.attrs.find(name);
    const auto* number = attr == node.attrs.end() ? &own->value : std::get_if<std::int64_t>(&attr->second);
    if (!number || (shared && *shared != *number))
      return fail(Errc::other, NW_TR("The instances differ in {0}; make them equal first"), name);
    shared = *number;
    if (attr == node.attrs.end()) continue;
    node.attrs.erase(attr);
    instances.push_back(PutNode{scope, id, std::move(node)});
  }
  const std::map<std::string, std::string> value{{name, std::to_string(shared.value_or(own->value))}};
  changed.parameters.erase(own);
  for (auto& [id, node] : changed.graph.nodes) put_values(node, value);
  Edit edit{PutBlock{block, std::move(changed)}};
  edit.insert(edit.end(), instances.begin(), instances.end());
  return edit;
}

std::string block_text(const GraphDoc& doc, const std::string& block) {
  GraphDoc with = doc;
  NodeId id = 0;
  const Node instance{.type = "Block", .name = free_block_name(doc, "shared"), .attrs = {{"block", block}}};
  const auto drawn = with.apply(add_node(doc, "", instance, &id));
  return drawn ? copy_text(with, "", {id}) : std::string();
}

Result<ImportedBlock> take_block(const GraphDoc& doc, std::string_view source) {
  NW_ASSIGN(const Edit pasted, paste_text(doc, "", source, {}));
  ImportedBlock taken;
  for (const Put& put : pasted) {
    if (std::holds_alternative<PutBlock>(put)) taken.edit.push_back(put);
    const auto* p = std::get_if<PutNode>(&put);
    if (p && p->node && taken.name.empty()) taken.name = block_of(*p->node);
  }
  const auto defines = [&](const Put& put) {
    const auto* p = std::get_if<PutBlock>(&put);
    return p && p->name == taken.name;
  };
  const bool defined = doc.has_scope(taken.name) || std::any_of(taken.edit.begin(), taken.edit.end(), defines);
  if (taken.name.empty() || !defined) return fail(Errc::bad_input, NW_TR("There is no block in this text"));
  return taken;
}

}  // namespace nw
