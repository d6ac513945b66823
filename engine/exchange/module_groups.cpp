// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/module_groups.hpp"

#include <algorithm>

#include "engine/design/names.hpp"

namespace nw::exchange {
namespace {

constexpr std::size_t most_ports = 16, most_levels = 12;

class Grouper {
 public:
  Grouper(const ReadGraph& graph, const std::vector<NamedLayer>& layers)
      : layers_(layers), inputs_(named_inputs(graph, layers)), readers_(layers.size()) {
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      for (const int from : inputs_[i]) readers_[static_cast<std::size_t>(from)].push_back(static_cast<int>(i));
    for (std::size_t i = 0; i < layers.size(); ++i)
      if (layers[i].index == graph.output) output_ = static_cast<int>(i);
  }

  /// `members` in the order of the graph; `prefix`: what their names lose here; `level`: modules that contain them all.
  std::vector<Item> divide(const std::vector<int>& members, const std::string& prefix, std::size_t level) {
    std::map<int, Item> by_output;  // groups by the layer that ends them: keeps the order
    std::set<int> left(members.begin(), members.end());
    for (std::size_t l = level; l < most_levels; ++l)
      for (auto& [name, inside] : at_level(left, l, prefix)) {
        auto group = std::make_shared<Group>();
        group->name = name;
        if (inside.size() == members.size() || !close(*group, inside, prefix)) continue;
        group->type = layers_[static_cast<std::size_t>(inside.front())].modules[l].type;
        group->items = divide(inside, name + ".", l + 1);
        for (const int m : inside) left.erase(m);
        by_output[group->output] = {.group = group, .name = name.substr(prefix.size())};
      }
    for (const int m : left) by_output[m] = {.layer = m, .name = name_of(m).substr(prefix.size())};
    std::vector<Item> items;
    for (auto& [at, item] : by_output) items.push_back(std::move(item));
    return items;
  }

 private:
  const std::string& name_of(int layer) const { return layers_[static_cast<std::size_t>(layer)].name; }

  std::map<std::string, std::vector<int>> at_level(const std::set<int>& left, std::size_t level,
                                                   const std::string& prefix) const {
    std::map<std::string, std::vector<int>> modules;
    for (const int m : left) {
      const auto& chain = layers_[static_cast<std::size_t>(m)].modules;
      if (level < chain.size() && chain[level].name.starts_with(prefix)) modules[chain[level].name].push_back(m);
    }
    return modules;
  }

  /// Fills sources and output; false: the members cannot be a block.
  bool close(Group& group, const std::vector<int>& inside, const std::string& prefix) const {
    if (inside.size() < 2 || !is_name(group.name.substr(std::min(prefix.size(), group.name.size())))) return false;
    const std::set<int> members(inside.begin(), inside.end());
    for (const int m : inside) {
      if (!name_of(m).starts_with(group.name + ".") || !is_name(name_of(m).substr(group.name.size() + 1))) return false;
      bool leaves = m == output_;
      for (const int reader : readers_[static_cast<std::size_t>(m)]) leaves = leaves || !members.contains(reader);
      if (leaves && group.output >= 0) return false;
      if (leaves) group.output = m;
      for (const int from : inputs_[static_cast<std::size_t>(m)])
        if (!members.contains(from) &&
            std::find(group.sources.begin(), group.sources.end(), from) == group.sources.end())
          group.sources.push_back(from);
    }
    if (group.output < 0 || group.sources.empty() || group.sources.size() > most_ports) return false;
    return std::none_of(group.sources.begin(), group.sources.end(),
                        [&](int s) { return s > inside.front() && depends(s, members, inside.front()); });
  }

  /// Whether a layer outside reads, through others, a member: the block would feed itself.
  bool depends(int layer, const std::set<int>& members, int first) const {
    std::vector<int> open{layer};
    std::set<int> seen;
    while (!open.empty()) {
      const int at = open.back();
      open.pop_back();
      if (members.contains(at)) return true;
      if (at < first || !seen.insert(at).second) continue;
      const auto& from = inputs_[static_cast<std::size_t>(at)];
      open.insert(open.end(), from.begin(), from.end());
    }
    return false;
  }

  const std::vector<NamedLayer>& layers_;
  const std::vector<std::vector<int>> inputs_;
  std::vector<std::vector<int>> readers_;
  int output_ = -1;
};

}  // namespace

int Item::output() const { return group ? group->output : layer; }

std::vector<std::vector<int>> named_inputs(const ReadGraph& graph, const std::vector<NamedLayer>& layers) {
  std::vector<int> position(graph.layers.size(), -1);
  for (std::size_t i = 0; i < layers.size(); ++i)
    position[static_cast<std::size_t>(layers[i].index)] = static_cast<int>(i);
  std::vector<std::vector<int>> inputs(layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i)
    for (const int from : graph.layers[static_cast<std::size_t>(layers[i].index)].inputs)
      inputs[i].push_back(position[static_cast<std::size_t>(from)]);
  return inputs;
}

std::vector<Item> group_modules(const ReadGraph& graph, const std::vector<NamedLayer>& layers) {
  std::vector<int> all;
  for (std::size_t i = 0; i < layers.size(); ++i) all.push_back(static_cast<int>(i));
  return Grouper(graph, layers).divide(all, "", 0);
}

}  // namespace nw::exchange
