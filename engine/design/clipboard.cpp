// SPDX-License-Identifier: Apache-2.0
// Layers as text for Copy and Paste, also into messages and mails.
#include <algorithm>
#include <set>

#include "engine/design/json_form.hpp"
#include "engine/design/layer_type.hpp"
#include "engine/design/names.hpp"

namespace nw {
namespace {

constexpr int clipboard_format = 1;

/// The definitions of `name` and of all blocks nested in it.
void collect_blocks(const GraphDoc& doc, const std::string& name, std::map<std::string, Block>& found) {
  const auto it = doc.blocks().find(name);
  if (it == doc.blocks().end() || !found.emplace(name, it->second).second) return;
  for (const auto& [id, node] : it->second.graph.nodes) collect_blocks(doc, block_of(node), found);
}

Point centre_of(const Graph& g) {
  Point low{1e300, 1e300}, high{-1e300, -1e300};
  for (const auto& [id, n] : g.nodes) {
    low = {std::min(low.x, n.position.x), std::min(low.y, n.position.y)};
    high = {std::max(high.x, n.position.x), std::max(high.y, n.position.y)};
  }
  return {(low.x + high.x) / 2, (low.y + high.y) / 2};
}

/// Generates names that no existing or already pasted layer has.
class Names {
 public:
  explicit Names(const Graph& g) {
    for (const auto& [id, node] : g.nodes) taken_.insert(node.name);
  }
  std::string free(std::string name) {
    if (taken_.insert(name).second) return name;
    while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.pop_back();
    if (name.empty() || name.back() == '.') name += "layer";
    for (int n = 1;; ++n)
      if (taken_.insert(name + std::to_string(n)).second) return name + std::to_string(n);
  }

 private:
  std::set<std::string> taken_;
};

/// The blocks that differ from the document's definition of the same name, directly or in a nested block.
std::set<std::string> differing(const GraphDoc& doc, const std::map<std::string, Block>& blocks) {
  std::set<std::string> own;
  for (std::size_t before = blocks.size() + 1; before != own.size();) {
    before = own.size();
    for (const auto& [name, block] : blocks) {
      const auto there = doc.blocks().find(name);
      if (there == doc.blocks().end()) continue;
      const auto& nodes = block.graph.nodes;
      if (!(there->second == block) ||
          std::any_of(nodes.begin(), nodes.end(), [&](const auto& n) { return own.contains(block_of(n.second)); }))
        own.insert(name);
    }
  }
  return own;
}

/// Adds definitions that are missing in the document. One that differs from the document's definition of the same name
/// is added under a new name.
std::map<std::string, std::string> add_blocks(const GraphDoc& doc, std::map<std::string, Block> blocks, Edit& edit) {
  std::map<std::string, std::string> names;
  const std::set<std::string> own = differing(doc, blocks);
  for (const auto& [name, block] : blocks) {
    std::string as = name;
    const auto taken = [&] {
      return (doc.blocks().contains(as) && !(doc.blocks().at(as) == block)) || (as != name && blocks.contains(as));
    };
    if (own.contains(name))
      for (int n = 2; as == name || taken(); ++n) as = name + std::to_string(n);
    names[name] = as;
  }
  for (auto& [name, block] : blocks) {
    for (auto& [id, node] : block.graph.nodes)
      if (const auto renamed = names.find(block_of(node)); renamed != names.end())
        node.attrs["block"] = renamed->second;
    if (!doc.blocks().contains(names[name])) edit.push_back(PutBlock{names[name], std::move(block)});
  }
  return names;
}

}  // namespace

std::string copy_text(const GraphDoc& doc, const std::string& scope, const std::vector<NodeId>& ids) {
  const Graph& all = doc.graph(scope);
  Graph chosen;
  std::map<std::string, Block> blocks;
  for (const NodeId id : ids)
    if (const auto it = all.nodes.find(id); it != all.nodes.end()) {
      chosen.nodes.insert(*it);
      collect_blocks(doc, block_of(it->second), blocks);
    }
  for (const Connection& c : all.connections)
    if (chosen.nodes.contains(c.from) && chosen.nodes.contains(c.to)) chosen.connections.push_back(c);
  Json definitions = Json::object();
  for (const auto& [name, block] : blocks) definitions[name] = to_json(block);
  return canonical(
      {{"netwright-graph", clipboard_format}, {"network", to_json(chosen)}, {"blocks", std::move(definitions)}});
}

Result<Edit> paste_text(const GraphDoc& doc, const std::string& scope, std::string_view source, Point at,
                        std::vector<NodeId>* made) {
  const std::string where = "clipboard";
  NW_ASSIGN(const Json json, parse_json(source, where));
  JsonReader r(json, where);
  r.integer("netwright-graph", 1, clipboard_format);
  const Json* network = r.child("network", Json::value_t::object);
  const Json* definitions = r.child("blocks", Json::value_t::object);
  NW_TRY(r.status());
  if (!network) return fail(Errc::bad_input, NW_TR("There are no layers in the clipboard"));
  std::size_t nodes_left = node_limit;
  NW_ASSIGN(Graph graph, graph_from_json(*network, where, nodes_left));
  std::map<std::string, Block> blocks;
  if (definitions) { NW_ASSIGN(blocks, blocks_from_json(*definitions, where, nodes_left)); }

  Edit edit;
  const auto block_names = add_blocks(doc, std::move(blocks), edit);
  const Point centre = centre_of(graph);
  Names names(doc.graph(scope));
  std::map<NodeId, NodeId> new_ids;
  NodeId next = doc.next_id();
  for (auto& [id, node] : graph.nodes) {
    node.name = names.free(node.name);
    node.position = {node.position.x - centre.x + at.x, node.position.y - centre.y + at.y};
    if (const auto renamed = block_names.find(block_of(node)); renamed != block_names.end())
      node.attrs["block"] = renamed->second;
    if (made) made->push_back(next);
    edit.push_back(PutNode{scope, next, std::move(node)});
    new_ids[id] = next++;
  }
  for (const Connection& c : graph.connections)
    edit.push_back(PutConnection{scope, {new_ids.at(c.from), c.from_port, new_ids.at(c.to), c.to_port}, true});
  return edit;
}

}  // namespace nw
