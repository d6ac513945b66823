// SPDX-License-Identifier: Apache-2.0
#include "engine/design/names.hpp"

#include <cmath>
#include <set>
#include <vector>

namespace nw {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_finite(const Attr& value) {
  const auto* real = std::get_if<double>(&value);
  return !real || std::isfinite(*real);
}

/// Depth-first search with an explicit stack, because a file may nest thousands of blocks.
struct BlockSearch {
  const std::map<std::string, Block>& blocks;
  std::set<std::string> done;

  std::vector<std::string> inside(const std::string& name) const {
    std::vector<std::string> found;
    for (const auto& [id, node] : blocks.at(name).graph.nodes)
      if (const std::string block = block_of(node); blocks.contains(block)) found.push_back(block);
    return found;
  }

  bool is_cyclic(const std::string& start) {
    struct Open {
      std::string name;
      std::vector<std::string> left;
    };
    std::vector<Open> stack;
    std::set<std::string> open;
    const auto enter = [&](const std::string& name) {
      open.insert(name);
      stack.push_back({name, inside(name)});
    };
    enter(start);
    while (!stack.empty()) {
      Open& top = stack.back();
      if (top.left.empty()) {
        done.insert(top.name);
        open.erase(top.name);
        stack.pop_back();
        continue;
      }
      const std::string next = top.left.back();
      top.left.pop_back();
      if (open.contains(next)) return true;
      if (!done.contains(next)) enter(next);
    }
    return false;
  }
};

}  // namespace

bool is_name(std::string_view name) {
  if (name.empty() || name.size() > name_limit || !is_letter(name[0])) return false;
  for (const char c : name)
    if (!is_letter(c) && c != '.' && !(c >= '0' && c <= '9')) return false;
  return true;
}

std::string block_of(const Node& node) {
  if (node.type != "Block") return {};
  const auto it = node.attrs.find("block");
  const auto* name = it == node.attrs.end() ? nullptr : std::get_if<std::string>(&it->second);
  return name ? *name : std::string();
}

std::string cyclic_block(const std::map<std::string, Block>& blocks) {
  BlockSearch search{blocks, {}};
  for (const auto& [name, block] : blocks)
    if (!search.done.contains(name) && search.is_cyclic(name)) return name;
  return {};
}

Text fault_of(const Node& node) {
  if (!is_name(node.name))
    return text(NW_TR("\"{0}\" is no name: use letters, digits, _ and ., beginning with a letter"),
                node.name.substr(0, name_limit));
  if (!std::isfinite(node.position.x) || !std::isfinite(node.position.y))
    return text(NW_TR("{0} has no position"), node.name);
  for (const auto& [name, value] : node.attrs)
    if (!is_finite(value)) return text(NW_TR("{0}: the value of {1} is not a number"), node.name, name);
  return {};
}

Text fault_of(const Graph& graph) {
  std::set<std::string_view> names;
  for (const auto& [id, node] : graph.nodes) {
    if (Text fault = fault_of(node); !fault.empty()) return fault;
    if (id <= 0) return text(NW_TR("{0} has no number"), node.name);
    if (!names.insert(node.name).second) return text(NW_TR("the name {0} is taken"), node.name);
  }
  std::set<std::pair<NodeId, int>> fed;
  for (const Connection& c : graph.connections) {
    if (!graph.nodes.contains(c.from) || !graph.nodes.contains(c.to) || c.from == c.to)
      return text(NW_TR("the connection from {0} to {1} has no ends"), c.from, c.to);
    if (c.from_port < 0 || c.from_port >= port_limit || c.to_port < 0 || c.to_port >= port_limit)
      return text(NW_TR("the connection from {0} to {1} has a port out of range"), c.from, c.to);
    if (!fed.insert({c.to, c.to_port}).second)
      return text(NW_TR("two connections lead to one input of {0}"), graph.nodes.at(c.to).name);
  }
  return {};
}

}  // namespace nw
