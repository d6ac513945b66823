// SPDX-License-Identifier: Apache-2.0
// Lines of a response's header, from anywhere. In a header of its own, because the module that downloads links nothing
// of the engine.
#pragma once
#include <algorithm>
#include <charconv>
#include <string_view>

#include "engine/data/fetch/http.hpp"

namespace nw {
namespace http {

inline std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == '\r' || s.back() == '\n' || s.back() == ' ')) s.remove_suffix(1);
  return s;
}

inline bool same_word(std::string_view a, std::string_view lower) {
  return a.size() == lower.size() && std::equal(a.begin(), a.end(), lower.begin(), [](char x, char y) {
           return (x >= 'A' && x <= 'Z' ? x + 32 : x) == y;
         });
}

inline std::int64_t number(std::string_view s) {
  std::int64_t n = -1;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
  return error == std::errc() && end == s.data() + s.size() && n >= 0 ? n : -1;
}

/// Parses "bytes 500-999/1000" (RFC 9110, section 14.4). An invalid value leaves `from` at -1, which every sink
/// rejects.
inline void read_range(std::string_view value, HttpHeader& head) {
  head.from = -1;
  constexpr std::string_view unit = "bytes ";
  if (!value.starts_with(unit)) return;
  value.remove_prefix(unit.size());
  const std::size_t dash = value.find('-'), slash = value.find('/');
  if (dash == std::string_view::npos || slash == std::string_view::npos || dash > slash) return;
  head.from = number(value.substr(0, dash));
  head.whole = number(value.substr(slash + 1));
}

}  // namespace http

/// Takes in one line of a header; the first line of another response (after a redirect) discards what was before.
inline void read_header_line(std::string_view line, HttpHeader& head) {
  if (line.starts_with("HTTP/")) head = {};
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view name = line.substr(0, colon), value = http::trimmed(line.substr(colon + 1));
  if (http::same_word(name, "content-range")) http::read_range(value, head);
  if (http::same_word(name, "etag") && value.starts_with('"')) head.tag = value;
}

}  // namespace nw
