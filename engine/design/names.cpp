// SPDX-License-Identifier: Apache-2.0
#include "engine/design/names.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <vector>

namespace nw {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Range {
  char32_t first, last;
};
/// Blocks of letters beyond ASCII (https://www.unicode.org/Public/UCD/latest/ucd/Blocks.txt), with the marks and digits
/// in them.
constexpr Range letters[] = {{0xC0, 0xD6},     {0xD8, 0xF6},       {0xF8, 0x61B},      {0x61D, 0x180D},
                             {0x180F, 0x1FFF}, {0x2C00, 0x2DFF},   {0x3005, 0x3007},   {0x3021, 0x3029},
                             {0x3031, 0x3035}, {0x3041, 0x9FFF},   {0xA000, 0xD7FF},   {0xF900, 0xFDFF},
                             {0xFE70, 0xFEFC}, {0xFF10, 0xFF19},   {0xFF21, 0xFF3A},   {0xFF41, 0xFF5A},
                             {0xFF66, 0xFFDC}, {0x10000, 0x1CFFF}, {0x1E000, 0x1EFFF}, {0x20000, 0x3FFFF}};

/// The first character of a text and its bytes (RFC 3629); no bytes: it is not valid UTF-8.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;
};
Character first_character(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const std::size_t bytes = byte(0) < 0x80   ? 1
                            : byte(0) < 0xC2 ? 0
                            : byte(0) < 0xE0 ? 2
                            : byte(0) < 0xF0 ? 3
                            : byte(0) < 0xF5 ? 4
                                             : 0;
  if (bytes == 0 || s.size() < bytes) return {};
  char32_t code = bytes == 1 ? byte(0) : byte(0) & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  return overlong ? Character{} : Character{code, bytes};
}

bool is_letter(char32_t code) {
  if (code < 0x80) return is_letter(static_cast<char>(code));
  return std::any_of(std::begin(letters), std::end(letters),
                     [&](const Range& r) { return code >= r.first && code <= r.last; });
}

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
  if (name.empty() || name.size() > name_limit || name[0] == '.' || is_digit(name[0])) return false;
  for (std::string_view rest = name; !rest.empty();) {
    const Character c = first_character(rest);
    if (c.bytes == 0 || !(is_letter(c.code) || rest[0] == '.' || is_digit(rest[0]))) return false;
    rest.remove_prefix(c.bytes);
  }
  return true;
}

std::string nearest_name(std::string_view typed) {
  std::string name;
  bool kept = false;
  while (!typed.empty() && name.size() + 12 < name_limit) {  // a number may follow
    const Character c = first_character(typed);
    const bool fits = c.bytes > 0 && (is_letter(c.code) || typed[0] == '.' || is_digit(typed[0]));
    if (name.empty() && fits && !is_letter(c.code)) name = '_';
    name += fits ? typed.substr(0, c.bytes) : "_";
    kept = kept || (fits && typed[0] != '_');
    typed.remove_prefix(std::max<std::size_t>(1, c.bytes));
  }
  return kept ? name : std::string();
}

bool is_identifier(std::string_view name) {
  return !name.empty() && name.size() <= name_limit && is_letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
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
  if (!(node.lr_scale > 0 && node.lr_scale <= largest_lr_scale))
    return text(NW_TR("{0}: the factor of the learning rate must be above 0 and at most {1}"), node.name,
                largest_lr_scale);
  if (node.frozen_epochs < 0 || node.frozen_epochs > most_frozen_epochs)
    return text(NW_TR("{0}: a layer may be frozen for 0 to {1} epochs"), node.name, most_frozen_epochs);
  if (node.pipeline_stage < -1 || node.pipeline_stage >= most_stages)
    return text(NW_TR("{0}: the stages of a pipeline are 0 to {1}"), node.name, most_stages - 1);
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
  std::map<NodeId, int> ports;  // up to the highest that is connected: a port takes room even if nothing leads to it
  for (const Connection& c : graph.connections) {
    if (!graph.nodes.contains(c.from) || !graph.nodes.contains(c.to) || c.from == c.to)
      return text(NW_TR("the connection from {0} to {1} has no ends"), c.from, c.to);
    if (c.from_port < 0 || c.from_port >= port_limit || c.to_port < 0 || c.to_port >= port_limit)
      return text(NW_TR("the connection from {0} to {1} has a port out of range"), c.from, c.to);
    if (!fed.insert({c.to, c.to_port}).second)
      return text(NW_TR("two connections lead to one input of {0}"), graph.nodes.at(c.to).name);
    ports[c.to] = std::max(ports[c.to], c.to_port + 1);
  }
  std::size_t all = 0;
  for (const auto& [id, count] : ports) all += static_cast<std::size_t>(count);
  if (all > ports_limit) return text(NW_TR("its layers have {0} inputs; at most {1} are read"), all, ports_limit);
  return {};
}

}  // namespace nw
