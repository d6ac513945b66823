// SPDX-License-Identifier: Apache-2.0
#include "engine/design/formula.hpp"

#include "engine/design/expression.hpp"
#include "engine/design/names.hpp"

namespace nw {
namespace {

bool belongs(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// The parameter name after the "$" at `at`.
std::string name_at(std::string_view formula, std::size_t at) {
  std::size_t end = at + 1;
  while (end < formula.size() && belongs(formula[end])) ++end;
  return std::string(formula.substr(at + 1, end - at - 1));
}

bool is_number(std::string_view s) { return !s.empty() && s.find_first_not_of("0123456789") == s.npos; }

std::string with_values(std::string_view formula, const std::map<std::string, std::string>& values) {
  std::string out;
  for (std::size_t at = 0; at < formula.size(); ++at) {
    const std::string name = formula[at] == '$' ? name_at(formula, at) : std::string();
    const auto value = values.find(name);
    if (name.empty() || value == values.end()) {
      out += formula[at];
      continue;
    }
    out += is_number(value->second) ? value->second : "(" + value->second + ")";
    at += name.size();
  }
  return out;
}

}  // namespace

bool is_parameter_name(std::string_view name) { return is_identifier(name); }

std::set<std::string> parameters_in(const Node& node) {
  std::set<std::string> names;
  for (const auto& [field, value] : node.attrs)
    if (const auto* formula = std::get_if<std::string>(&value))
      for (std::size_t at = formula->find('$'); at != formula->npos; at = formula->find('$', at + 1))
        names.insert(name_at(*formula, at));
  names.erase("");
  return names;
}

void put_values(Node& node, const std::map<std::string, std::string>& values) {
  for (auto& [field, value] : node.attrs) {
    const auto* formula = std::get_if<std::string>(&value);
    if (!formula || formula->find('$') == formula->npos) continue;
    std::string put = with_values(*formula, values);
    const auto number = compiling::evaluate(put, {});  // an error while the formula still contains a parameter
    if (number)
      value = *number;
    else
      value = std::move(put);
  }
}

}  // namespace nw
