// SPDX-License-Identifier: Apache-2.0
#include "engine/submit/quoting.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/printable.hpp"

namespace nw::submit {
namespace {

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

/// A word of which no shell makes anything else. A tilde, which only some shells expand, is not among them; of a word
/// that begins with =, zsh makes the path of a command.
bool is_plain_word(std::string_view text) {
  constexpr std::string_view others = "@%+=:,./_-";
  return !text.empty() && text[0] != '=' && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_letter_or_digit(c) || others.find(c) != std::string_view::npos;
  });
}

/// A key that no reader of YAML takes for a number, a truth value or null.
bool is_plain_key(std::string_view text) {
  constexpr std::string_view values[] = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"};
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text.size() > 1 && std::all_of(text.begin(), text.end(), is_letter_or_digit) && !(text[0] <= '9') &&
         std::find(std::begin(values), std::end(values), lower) == std::end(values);
}

std::string key_of(const std::string& key) { return is_plain_key(key) ? key : yaml_text(key); }

void write(const Json& json, std::size_t indent, std::string& to);

std::string scalar(const Json& json) {
  if (json.is_string()) return yaml_text(json.get<std::string>());
  return json.empty() && json.is_structured() ? (json.is_array() ? "[]" : "{}") : json.dump();
}

void write_member(const Json& value, std::size_t indent, std::string& to) {
  if (!value.is_structured() || value.empty()) {
    to += " " + scalar(value) + "\n";
  } else {
    to += "\n";
    write(value, indent, to);
  }
}

/// The first member of an object in a list stands behind the dash.
void write_item(const Json& value, std::size_t indent, std::string& to) {
  const std::string dash = std::string(indent, ' ') + "-";
  if (!value.is_structured() || value.empty()) {
    to += dash + " " + scalar(value) + "\n";
    return;
  }
  std::string inner;
  write(value, indent + 2, inner);
  to += dash + inner.substr(indent + 1);
}

void write(const Json& json, std::size_t indent, std::string& to) {
  if (json.is_array())
    for (const Json& one : json) write_item(one, indent, to);
  else
    for (const auto& [key, value] : json.items()) {
      to += std::string(indent, ' ') + key_of(key) + ":";
      write_member(value, indent + 2, to);
    }
}

}  // namespace

std::string shell_word(std::string_view text) {
  if (is_plain_word(text)) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string shell_words(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

std::string yaml_text(std::string_view text) {
  std::string scalar = "\"";
  while (!text.empty()) {
    const Utf8 next = decode_utf8(text);
    const char32_t c = next.valid ? next.character : U'\xFFFD';
    text.remove_prefix(next.bytes);
    if (c == U'"' || c == U'\\')
      scalar += {'\\', static_cast<char>(c)};
    else if (c >= 0x20 && c < 0x7F)
      scalar += static_cast<char>(c);
    else
      scalar += c > 0xFFFF ? fmt::format("\\U{:08X}", static_cast<std::uint32_t>(c))
                           : fmt::format("\\u{:04X}", static_cast<std::uint32_t>(c));
  }
  return scalar + "\"";
}

std::string yaml(const Json& json) {
  std::string text;
  if (json.is_structured() && !json.empty())
    write(json, 0, text);
  else
    text = scalar(json) + "\n";
  return text;
}

}  // namespace nw::submit
