// SPDX-License-Identifier: Apache-2.0
#include "kernels/result.hpp"

#include <algorithm>

#include "kernels/nested_text.hpp"
#include "kernels/printable.hpp"

namespace nw {
namespace {

// ASCII's record and unit separators: the begin of a nested sentence, and the separator of its parts.
constexpr char begin_mark = '\x1e', part_mark = '\x1f';

std::string without_marks(std::string s) {
  std::erase_if(s, [](char c) { return c == begin_mark || c == part_mark; });
  return s;
}

}  // namespace

std::string nested(const Text& text) {
  std::string out = begin_mark + without_marks(text.source);
  for (const std::string& arg : text.args) out += part_mark + without_marks(plain(arg));
  return out;
}

std::optional<Text> nested_in(const std::string& argument) {
  if (argument.empty() || argument[0] != begin_mark) return std::nullopt;
  Text text;
  for (std::size_t at = 1; at <= argument.size();) {
    const std::size_t end = std::min(argument.find(part_mark, at), argument.size());
    const std::string part = argument.substr(at, end - at);
    if (at == 1)
      text.source = part;
    else
      text.args.push_back(without_marks(part));
    at = end + 1;
  }
  return text;
}

std::string plain(const std::string& argument) {
  const std::optional<Text> text = nested_in(argument);
  return text ? text->str() : argument;
}

// Replaces {0}, {1}, … by the arguments; a placeholder without an argument becomes "?". Words from
// files cannot end the line or command a terminal. Never throws.
std::string Text::str() const {
  std::string out;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const bool holder = source[i] == '{' && i + 2 < source.size() && source[i + 2] == '}' && source[i + 1] >= '0' &&
                        source[i + 1] <= '9';
    if (!holder) {
      out += source[i];
      continue;
    }
    const std::size_t n = static_cast<std::size_t>(source[i + 1] - '0');
    out += n < args.size() ? plain(args[n]) : "?";
    i += 2;
  }
  return printable(out);
}

}  // namespace nw
