// SPDX-License-Identifier: Apache-2.0
// Which imported layers become block instances. Private to engine/exchange.
#pragma once
#include <memory>

#include "engine/exchange/layer_names.hpp"

namespace nw::exchange {

struct Group;
/// A layer or a block instance of a graph.
struct Item {
  int layer = -1;  // of the list of named layers; -1: a group
  std::shared_ptr<Group> group = nullptr;
  std::string name;    // in its graph
  int output() const;  // the named layer whose value leaves it
};
struct Group {
  std::string name, type;    // of the module, in full; its class
  std::vector<Item> items;   // every producer before its consumers
  std::vector<int> sources;  // by port: the named layer outside that feeds it
  int output = -1;           // the named layer whose value leaves it
};

/// The layers as a graph of layers and groups. A module becomes a group if one value leaves it, at most 16 enter it,
/// and the names inside it are names of layers.
std::vector<Item> group_modules(const ReadGraph&, const std::vector<NamedLayer>&);
/// Inputs as indices of the list of named layers.
std::vector<std::vector<int>> named_inputs(const ReadGraph&, const std::vector<NamedLayer>&);

}  // namespace nw::exchange
