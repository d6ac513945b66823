// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/source/python_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/design/names.hpp"
#include "kernels/printable.hpp"

namespace nw::exchange {
namespace {

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_ascii_letter(c) || is_ascii_digit(c) || c == '_'; }

/// One character of a literal.
std::string escaped(const Utf8& c, std::string_view bytes) {
  if (!c.valid) return "\\ufffd";
  if (c.character == '"' || c.character == '\\') return "\\" + std::string(bytes);
  if (c.character < 0x20 || c.character == 0x7F) return fmt::format("\\x{:02x}", static_cast<unsigned>(c.character));
  if (c.character < 0x7F || is_name(bytes)) return std::string(bytes);
  const auto number = static_cast<unsigned>(c.character);
  return number < 0x10000 ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
}

constexpr std::array keywords = {"False",  "None",    "True",  "and",      "as",     "assert", "async",    "await",
                                 "break",  "case",    "class", "continue", "def",    "del",    "elif",     "else",
                                 "except", "finally", "for",   "from",     "global", "if",     "import",   "in",
                                 "is",     "lambda",  "match", "nonlocal", "not",    "or",     "pass",     "raise",
                                 "return", "try",     "while", "with",     "yield",  "_",      "__debug__"};

}  // namespace

std::string python_escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Utf8 c = decode_utf8(text);
    out += escaped(c, text.substr(0, c.bytes));
    text.remove_prefix(std::max<std::size_t>(1, c.bytes));
  }
  return out;
}

std::string python_string(std::string_view text) { return '"' + python_escaped(text) + '"'; }

std::string python_list(const std::vector<std::string>& literals) {
  return "[" + fmt::format("{}", fmt::join(literals, ", ")) + "]";
}

std::string python_number(std::int64_t v) { return std::to_string(v); }

std::string python_number(double v) {
  std::string text = fmt::format("{}", v);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string python_pair(std::pair<std::int64_t, std::int64_t> p) {
  return p.first == p.second ? std::to_string(p.first) : fmt::format("({}, {})", p.first, p.second);
}

std::string python_tuple(const std::vector<std::int64_t>& v) {
  return fmt::format("({}{})", fmt::join(v, ", "), v.size() == 1 ? "," : "");
}

bool is_python_keyword(std::string_view word) {
  return std::find(keywords.begin(), keywords.end(), word) != keywords.end();
}

bool is_python_identifier(std::string_view name) {
  return !name.empty() && !is_ascii_digit(name[0]) && std::all_of(name.begin(), name.end(), is_word) &&
         !is_python_keyword(name);
}

std::pair<std::string, std::int64_t> numbered_name(const std::string& name) {
  std::size_t begin = name.size();
  while (begin > 0 && is_ascii_digit(name[begin - 1]) && name.size() - begin < 9) --begin;
  if (begin == name.size() || (name[begin] == '0' && begin + 1 < name.size())) return {name, -1};
  return {name.substr(0, begin), std::stoll(name.substr(begin))};
}

std::string with_marks(std::string_view pattern, const std::vector<std::pair<std::string_view, std::string>>& marks) {
  std::string text(pattern);
  for (const auto& [mark, value] : marks) {
    const std::string full = "@" + std::string(mark) + "@";
    for (std::size_t at = text.find(full); at != std::string::npos; at = text.find(full, at + value.size()))
      text.replace(at, full.size(), value);
  }
  return text;
}

std::string PythonNames::unique(std::string name) {
  if (!is_python_keyword(name) && take(name)) return name;
  if (is_python_keyword(name) && take(name + "_")) return name + "_";
  for (int number = 2;; ++number)
    if (std::string next = name + (is_ascii_digit(name.back()) ? "_" : "") + std::to_string(number); take(next))
      return next;
}

std::string PythonNames::variable(std::string_view wanted, std::string_view otherwise) {
  std::string name;
  for (const char c : wanted.substr(0, 60))
    if (is_word(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  while (!name.empty() && name.back() == '_') name.pop_back();
  name.erase(0, name.find_first_not_of('_'));
  if (name.empty()) name = otherwise;
  if (is_ascii_digit(name[0])) name = std::string(otherwise) + '_' + name;
  return unique(std::move(name));
}

std::string PythonNames::class_name(std::string_view wanted, std::string_view otherwise) {
  std::string name;
  bool begins = true;
  for (const char c : wanted.substr(0, 60)) {
    const bool stays = is_ascii_letter(c) || is_ascii_digit(c);
    if (stays) name += begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    begins = !stays;
  }
  if (name.empty() || is_ascii_digit(name[0])) name = std::string(otherwise) + name;
  return unique(std::move(name));
}

std::string PythonNames::function_name(std::string_view wanted, std::string_view otherwise) {
  std::string name;
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  for (std::size_t i = 0; i < wanted.size() && i < 60; ++i) {
    const bool next_word = i > 0 && is_upper(wanted[i]) && !is_upper(wanted[i - 1]);
    if (next_word) name += '_';
    name += is_upper(wanted[i]) ? static_cast<char>(wanted[i] - 'A' + 'a') : wanted[i];
  }
  return variable(name, otherwise);
}

namespace {

std::string on_one_line(const PythonCode& c) {
  std::string out = c.open;
  for (std::size_t i = 0; i < c.parts.size(); ++i) out += (i > 0 ? ", " : "") + on_one_line(c.parts[i]);
  return out + c.close;
}

}  // namespace

std::string laid_out(const PythonCode& c, std::size_t indent, std::size_t columns) {
  const std::string line = on_one_line(c);
  if (c.parts.empty() || indent + line.size() <= columns) return line;
  const std::size_t inner = indent / 4 * 4 + 4;
  std::string out = c.open;
  for (const PythonCode& part : c.parts)
    out += '\n' + std::string(inner, ' ') + laid_out(part, inner, columns - 1) + ',';
  return out + '\n' + std::string(inner - 4, ' ') + c.close;
}

void PythonLines::add(int level, std::string_view line) {
  if (!line.empty()) text_ += std::string(static_cast<std::size_t>(level) * 4, ' ');
  text_ += line;
  text_ += '\n';
}

void PythonLines::code(int level, const std::string& prefix, const PythonCode& expression) {
  PythonCode whole = expression;
  whole.open = prefix + whole.open;
  add(level, laid_out(whole, static_cast<std::size_t>(level) * 4));
}

void PythonLines::text(int level, std::string_view lines) {
  if (lines.starts_with('\n')) lines.remove_prefix(1);
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    add(level, lines.substr(0, end));
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
}

void PythonLines::space(int count) {
  std::size_t have = 0;
  while (have < text_.size() && text_[text_.size() - 1 - have] == '\n') ++have;
  for (int i = static_cast<int>(have) - 1; i < count && !text_.empty(); ++i) text_ += '\n';
}

}  // namespace nw::exchange
