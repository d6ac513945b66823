// SPDX-License-Identifier: Apache-2.0
#include "kernels/printable.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace nw {

// RFC 3629: no longer forms than needed, no surrogates, up to U+10FFFF.
Utf8 decode_utf8(std::string_view s) {
  const auto first = static_cast<unsigned char>(s[0]);
  if (first < 0x80) return {first, 1, true};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || s.size() < bytes) return {};
  char32_t c = first & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(s[i]);
    if ((next & 0xC0) != 0x80) return {};
    c = c << 6 | (next & 0x3Fu);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (c < smallest[bytes] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return {};
  return {c, bytes, true};
}

namespace {

/// `text` with each control character and each byte that is not UTF-8 replaced by what `replace` returns.
template <class Replace>
std::string replaced(std::string_view text, Replace replace) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8 d = decode_utf8(text.substr(at));
    if (d.valid && !is_control(d.character))
      out += text.substr(at, d.bytes);
    else
      replace(out, d);
    at += d.bytes;
  }
  return out;
}

}  // namespace

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

std::string printable(std::string_view text) {
  return replaced(text, [](std::string& out, const Utf8&) { out += '?'; });
}

std::string printable_lines(std::string_view text) {
  return replaced(text, [](std::string& out, const Utf8& d) {
    const bool kept = d.character == '\n' || d.character == '\t';
    out += kept ? static_cast<char>(d.character) : '?';
  });
}

std::string printable_json(std::string_view json) {
  return replaced(json, [](std::string& out, const Utf8& d) {
    out += d.valid ? fmt::format("\\u{:04x}", static_cast<std::uint32_t>(d.character)) : "?";
  });
}

}  // namespace nw
