// SPDX-License-Identifier: Apache-2.0
// The instances of blocks in a flat network, and the order of what they contain. Private to engine/exchange/source.
#pragma once
#include <deque>
#include <map>

#include "engine/exchange/source/source_tree.hpp"

namespace nw::exchange {

/// One instance of a block as it lies in the network, or the network itself.
struct Instance {
  std::string name, block;
  std::map<std::string, std::int64_t> parameters;
  int parent = -1;
  std::vector<int> layers;    // directly in it
  std::vector<int> children;  // instances
  // as source code
  SourceScope scope;
  std::vector<int> in, out;        // layers outside that it reads, layers inside that are read outside
  std::vector<int> item_instance;  // of scope.items; -1: a layer
  int class_of = -1;
  std::vector<std::string> values;  // of the class's parameters
};

/// The instances of blocks, each inside another or in the network, which is the first. An instance that no function can
/// stand for, because what it reads depends on what it computes, is dissolved: its layers become those around it.
class InstanceTree {
 public:
  explicit InstanceTree(const FlatNetwork&);

 protected:
  const FlatLayer& layer(int i) const { return network_.layers[static_cast<std::size_t>(i)]; }
  Instance& instance(int i) { return instances_[static_cast<std::size_t>(i)]; }
  bool is_inside(int layer, int of) const;
  std::string inner_name(const std::string& full, int of);
  /// Layers, and instances as ~index, in an order in which each one's inputs come before it.
  std::vector<int> sorted_items(int of);

  const FlatNetwork& network_;
  std::deque<Instance> instances_;         // the first is the network
  std::vector<std::vector<int>> readers_;  // of each layer

 private:
  int child_with(int layer, int of) const;
  void dissolve(int child);
  int nested_name(int of);
  void layers_in(int of, std::vector<int>& out);
  bool sort_items(int of, std::vector<int>& sorted);

  // Blocks that are opened one by one, so that few are; more are opened all at once.
  static constexpr int most_searched = 100;
  int dissolved_ = 0;
  std::vector<int> owner_;  // of each layer
};

}  // namespace nw::exchange
