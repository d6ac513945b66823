// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/source/instance_tree.hpp"

#include <algorithm>

namespace nw::exchange {

InstanceTree::InstanceTree(const FlatNetwork& network) : network_(network), readers_(network.layers.size()) {
  for (std::size_t i = 0; i < network.layers.size(); ++i)
    for (const int from : network.layers[i].inputs)
      readers_[static_cast<std::size_t>(from)].push_back(static_cast<int>(i));
  instances_.emplace_back();
  owner_.assign(network_.layers.size(), 0);
  std::map<std::string, int> known;
  for (std::size_t i = 0; i < network_.layers.size(); ++i) {
    int at = 0;
    for (const InstancePath& path : network_.layers[i].blocks) {
      const auto [it, added] = known.try_emplace(path.name, static_cast<int>(instances_.size()));
      if (added) {
        Instance made;
        made.name = path.name;
        made.block = path.block;
        if (path.parameters) made.parameters = *path.parameters;
        made.parent = at;
        instances_.push_back(std::move(made));
        instance(at).children.push_back(it->second);
      }
      at = it->second;
    }
    if (static_cast<int>(i) == network_.input) continue;
    instance(at).layers.push_back(static_cast<int>(i));
    owner_[i] = at;
  }
}

bool InstanceTree::is_inside(int layer, int of) const {
  for (int at = owner_[static_cast<std::size_t>(layer)]; at >= 0; at = instances_[static_cast<std::size_t>(at)].parent)
    if (at == of) return layer != network_.input;
  return false;
}

/// The child of `of` that contains the layer; -1: it is directly in it.
int InstanceTree::child_with(int layer, int of) const {
  int child = -1;
  for (int at = owner_[static_cast<std::size_t>(layer)]; at != of && at >= 0;
       at = instances_[static_cast<std::size_t>(at)].parent)
    child = at;
  return child;
}

/// The child's layers and children become those of the instance around it.
void InstanceTree::dissolve(int child) {
  const Instance gone = instance(child);
  Instance& around = instance(gone.parent);
  std::erase(around.children, child);
  for (const int l : gone.layers) {
    around.layers.push_back(l);
    owner_[static_cast<std::size_t>(l)] = gone.parent;
  }
  for (const int c : gone.children) {
    around.children.push_back(c);
    instance(c).parent = gone.parent;
  }
  std::sort(around.layers.begin(), around.layers.end());
  instance(child).layers.clear();
  instance(child).children.clear();
}

std::string InstanceTree::inner_name(const std::string& full, int of) {
  const std::string& outer = instance(of).name;
  return outer.empty() ? full : full.substr(outer.size() + 1);
}

/// An instance whose name begins that of something else beside it: "a" and "a.b" would share an object.
int InstanceTree::nested_name(int of) {
  const Instance& here = instance(of);
  std::set<std::string> names;
  for (const int l : here.layers) names.insert(layer(l).name);
  for (const int c : here.children) names.insert(instance(c).name);
  for (const int c : here.children) {
    const auto next = names.lower_bound(instance(c).name + ".");
    if (next != names.end() && next->starts_with(instance(c).name + ".")) return c;
  }
  return -1;
}

void InstanceTree::layers_in(int of, std::vector<int>& out) {
  out.insert(out.end(), instance(of).layers.begin(), instance(of).layers.end());
  for (const int c : instance(of).children) layers_in(c, out);
}

/// False: the items depend on each other, and one of them was dissolved.
bool InstanceTree::sort_items(int of, std::vector<int>& sorted) {
  std::map<int, std::set<int>> needs;  // item -> items
  std::map<int, int> first;            // item -> its first layer
  std::vector<int> all;
  layers_in(of, all);
  std::sort(all.begin(), all.end());
  const auto item_of = [&](int l) {
    const int child = child_with(l, of);
    return child >= 0 ? ~child : l;
  };
  for (const int l : all) {
    const int item = item_of(l);
    first.try_emplace(item, l);
    std::set<int>& before = needs[item];
    for (const int from : layer(l).inputs)
      if (is_inside(from, of) && item_of(from) != item) before.insert(item_of(from));
  }
  sorted.clear();
  std::map<int, std::vector<int>> unlocks;
  std::set<std::pair<int, int>> ready;  // first layer, item
  for (const auto& [item, before] : needs) {
    for (const int b : before) unlocks[b].push_back(item);
    if (before.empty()) ready.insert({first[item], item});
  }
  while (!ready.empty()) {
    const int item = ready.begin()->second;
    ready.erase(ready.begin());
    sorted.push_back(item);
    for (const int next : unlocks[item]) {
      needs[next].erase(item);
      if (needs[next].empty()) ready.insert({first[next], next});
    }
  }
  if (sorted.size() == needs.size()) return true;
  bool dissolved = false;
  for (const auto& [item, before] : needs)
    if (item < 0 && !before.empty() && (!dissolved || dissolved_ > most_searched)) {
      dissolve(~item);
      ++dissolved_;
      dissolved = true;
    }
  return !dissolved;  // layers alone have no cycle
}

std::vector<int> InstanceTree::sorted_items(int of) {
  for (int child = nested_name(of); child >= 0; child = nested_name(of)) dissolve(child);
  std::vector<int> sorted;
  while (!sort_items(of, sorted)) continue;
  return sorted;
}

}  // namespace nw::exchange
