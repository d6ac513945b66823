// SPDX-License-Identifier: Apache-2.0
// Random edits, derived from one number, so that a property test can shrink a failing sequence.
#pragma once
#include <cstdint>
#include <string>

#include "engine/design/block_edits.hpp"
#include "engine/design/graph_doc.hpp"
#include "engine/design/layer_type.hpp"
#include "engine/design/rewire.hpp"

namespace nw::test {

/// Random decisions derived from one number.
struct Dice {
  std::uint64_t left;
  std::uint64_t below(std::uint64_t n) {
    left = left * 6364136223846793005u + 1442695040888963407u;
    return (left >> 33) % n;
  }
};

inline NodeId any_node(const Graph& g, Dice& dice) {
  if (g.nodes.empty() || dice.below(20) == 0) return static_cast<NodeId>(dice.below(5000));
  return std::next(g.nodes.begin(), static_cast<long>(dice.below(g.nodes.size())))->first;
}

inline Connection any_connection(const Graph& g, Dice& dice) {
  if (!g.connections.empty() && dice.below(3) > 0) return g.connections[dice.below(g.connections.size())];
  return {any_node(g, dice), static_cast<int>(dice.below(8) == 0), any_node(g, dice), static_cast<int>(dice.below(3))};
}

inline std::string any_scope(const GraphDoc& doc, Dice& dice) {
  if (doc.blocks().empty() || dice.below(3) > 0) return "";
  return std::next(doc.blocks().begin(), static_cast<long>(dice.below(doc.blocks().size())))->first;
}

inline Node any_layer(Dice& dice) {
  const auto layers = all_layers();
  const std::uint64_t pick = dice.below(layers.size() + 3);
  Node node{.position = {static_cast<double>(dice.below(1000)) / 7, static_cast<double>(dice.below(1000))}};
  node.type = pick < layers.size() ? std::string(layers[pick]->name) : pick == layers.size() ? "Conv9d" : "Block";
  if (node.type == "Block") node.attrs["block"] = std::string(1, static_cast<char>('A' + dice.below(4)));
  return node;
}

inline Attr any_value(Dice& dice) {
  switch (dice.below(5)) {
    case 0:
      return dice.below(2) == 0;
    case 1:
      return static_cast<std::int64_t>(dice.below(100)) - 50;
    case 2:
      return static_cast<double>(dice.below(1000)) / 3;
    case 3:
      return std::string("$filters*") + std::to_string(dice.below(9));
    default:
      return std::vector<std::int64_t>{static_cast<std::int64_t>(dice.below(9)), 2};
  }
}

inline Edit change_node(const GraphDoc& doc, const std::string& scope, Dice& dice) {
  const Graph& g = doc.graph(scope);
  const NodeId id = any_node(g, dice);
  if (!g.nodes.contains(id)) return {};
  Node node = g.nodes.at(id);
  const std::uint64_t what = dice.below(5);
  if (what == 0)
    node.bypassed = !node.bypassed;
  else if (what == 1)
    node.frozen = !node.frozen;
  else if (what == 2)
    node.collapsed = !node.collapsed;
  else if (what == 3)
    node.type = any_layer(dice).type;
  else
    node.unknown["later"] = dice.below(100);
  return {PutNode{scope, id, node}};
}

inline Edit change_document(const GraphDoc& doc, const std::string& scope, Dice& dice) {
  const ItemId item = dice.below(2) == 0 ? doc.next_id() : static_cast<ItemId>(dice.below(100));
  const Rect rect{static_cast<double>(dice.below(100)), 1, 2, static_cast<double>(dice.below(100))};
  const std::string name(1, static_cast<char>('A' + dice.below(4)));
  DataChoice data = doc.data();
  TrainSettings settings = doc.settings();
  switch (dice.below(6)) {
    case 0:
      return {PutFrame{scope, item, dice.below(3) ? std::optional(Frame{"f\"ö", rect}) : std::nullopt}};
    case 1:
      return {PutNote{scope, item, dice.below(3) ? std::optional(Note{"line\nline", rect}) : std::nullopt}};
    case 2:
      return {PutBlock{name, Block{{{"filters", static_cast<std::int64_t>(dice.below(64))}}, doc.graph(scope)}}};
    case 3:
      return {PutBlock{name, std::nullopt}};
    case 4:
      data.path = "/tmp/" + std::to_string(dice.below(9));
      data.split_seed = ~std::uint64_t{0} - dice.below(9);
      return {PutData{data}};
    default:
      settings.learning_rate = static_cast<double>(dice.below(100)) / 300;
      settings.seed = dice.below(9);
      return {PutSettings{settings}};
  }
}

inline Edit block_edit(const GraphDoc& doc, const std::string& scope, Dice& dice) {
  const Graph& g = doc.graph(scope);
  const NodeId a = any_node(g, dice), b = any_node(g, dice);
  const std::string block(1, static_cast<char>('A' + dice.below(4)));
  Result<Edit> edit = Edit{};
  switch (dice.below(9)) {
    case 0:
    case 1:
      edit = group_nodes(doc, scope, {a, b}, block);
      break;
    case 2:
      edit = g.nodes.size() < 200 ? ungroup_node(doc, scope, a) : Edit{};
      break;
    case 3:
      return make_unique(doc, scope, {a, b});
    case 4:
      edit = rename_block(doc, block, std::string(1, static_cast<char>('A' + dice.below(4))));
      break;
    case 5:
      edit = expose_setting(doc, block, a, dice.below(2) ? "kernel_size" : "out_channels");
      break;
    case 6:
      edit = remove_parameter(doc, block, dice.below(2) ? "filters" : "kernel_size");
      break;
    case 7:
      return detach_nodes(doc, scope, {a, b});
    default:
      edit = move_outputs(doc, scope, a, 0, b, 0);
      break;
  }
  return edit ? *std::move(edit) : Edit{};
}

inline Edit any_edit(const GraphDoc& doc, Dice dice) {
  const std::string scope = any_scope(doc, dice);
  const Graph& g = doc.graph(scope);
  const NodeId a = any_node(g, dice), b = any_node(g, dice);
  switch (dice.below(17)) {
    case 0:
    case 1:
    case 2:
      return add_node(doc, scope, any_layer(dice));
    case 3:
    case 4:
    case 5:
      return connect(doc, scope, any_connection(g, dice));
    case 6:
      return remove_nodes(doc, scope, {a, b}, dice.below(2) == 0);
    case 7:
      return disconnect(doc, scope, any_connection(g, dice));
    case 8:
      return insert_on(doc, scope, any_connection(g, dice), any_layer(dice));
    case 9:
      return set_attr(doc, scope, a, dice.below(2) ? "kernel_size" : "p", any_value(dice));
    case 10:
      return rename_node(doc, scope, a, dice.below(8) ? "n" + std::to_string(dice.below(50)) : "no name");
    case 11:
      return move_nodes(doc, scope, {{a, {static_cast<double>(dice.below(99)) / 9, 2}}, {b, {3, 4}}});
    case 12:
      return change_node(doc, scope, dice);
    case 13: {
      const auto pasted = paste_text(doc, scope, copy_text(doc, scope, {a, b}), {10, 20});
      return pasted && g.nodes.size() < 200 ? *pasted : Edit{};
    }
    case 14:
      return block_edit(doc, scope, dice);
    default:
      return change_document(doc, scope, dice);
  }
}

}  // namespace nw::test
