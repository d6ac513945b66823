// SPDX-License-Identifier: Apache-2.0
#include "engine/design/text_values.hpp"

#include <fmt/format.h>

#include <charconv>

namespace nw::written {
namespace {

std::string quoted(const std::string& s) {
  std::string out = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

std::optional<double> real(std::string_view s) {
  double d = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), d);
  return error == std::errc() && end == s.data() + s.size() ? std::optional(d) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> list(std::string_view s, char between) {
  std::vector<std::int64_t> all;
  while (true) {
    const auto at = s.find(between);
    const auto n = whole(s.substr(0, at));
    if (!n || all.size() == 16) return std::nullopt;
    all.push_back(*n);
    if (at == s.npos) return all;
    s.remove_prefix(at + 1);
  }
}

std::string join_values(const std::vector<std::int64_t>& all, const char* between) {
  std::string out;
  for (const std::int64_t n : all) out += (out.empty() ? "" : between) + std::to_string(n);
  return out;
}

bool is_plain(const std::string& s) { return !s.empty() && s.find_first_of(" \t\"#,<\n\r") == s.npos; }

}  // namespace

const Field* field_of(const Node& node, const std::string& name) {
  const LayerType* type = find_layer(node.type);
  if (!type) return nullptr;
  for (const Field& f : type->fields)
    if (f.name == name) return &f;
  return nullptr;
}

std::optional<std::int64_t> whole(std::string_view s) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
  return error == std::errc() && end == s.data() + s.size() ? std::optional(n) : std::nullopt;
}

Attr value_from(const Field* field, std::string_view s) {
  const auto n = whole(s);
  if (field && field->kind == Field::Kind::pair && n) return std::vector<std::int64_t>{*n, *n};
  if (field && field->kind == Field::Kind::real && n) return static_cast<double>(*n);
  if (n) return *n;
  if (s == "true" || s == "false") return s == "true";
  if (s.size() >= 2 && s.front() == '[' && s.back() == ']') {
    if (s.size() == 2) return std::vector<std::int64_t>{};
    if (auto all = list(s.substr(1, s.size() - 2), ',')) return *all;
  }
  if (s.find('x') != s.npos)
    if (auto all = list(s, 'x')) return *all;
  if (const auto d = real(s)) return *d;
  return std::string(s);
}

std::string value_text(const Field* field, const Attr& value) {
  std::string word = std::visit(
      [](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>)
          return v ? "true" : "false";
        else if constexpr (std::is_same_v<T, std::string>)
          return is_plain(v) ? v : quoted(v);
        else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>)
          return v.size() == 2 && v[0] == v[1] ? std::to_string(v[0])
                 : v.size() == 2               ? join_values(v, "x")
                                               : "[" + join_values(v, ",") + "]";
        else
          return fmt::format("{}", v);
      },
      value);
  if (word.starts_with('"') || value_from(field, word) == value) return word;
  const auto* text = std::get_if<std::string>(&value);
  if (text) return quoted(*text);
  const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value);
  if (numbers) return "[" + join_values(*numbers, ",") + "]";
  return std::holds_alternative<double>(value) ? word + ".0" : word;  // keeps the float 3.0 distinct from the integer 3
}

}  // namespace nw::written
