// SPDX-License-Identifier: Apache-2.0
// Words from files (names of classes, devices, paths) as they may appear in a line of a terminal, a log or a title.
#pragma once
#include <string>
#include <string_view>

namespace nw {

struct Utf8 {
  char32_t character = 0;
  std::size_t bytes = 1;
  bool valid = false;
};
/// The character at the start of a text that is not empty; not valid: its first byte starts none.
Utf8 decode_utf8(std::string_view text);

/// True for characters that end a line, command a terminal or change the direction of writing: C0, DEL, C1, U+2028,
/// U+2029, and marks of direction.
bool is_control(char32_t character);
/// `text` for one line: every control character and every byte that is not UTF-8 becomes '?'.
std::string printable(std::string_view text);
/// The same for several lines: line breaks and tabs are kept.
std::string printable_lines(std::string_view text);
/// JSON in one line, with every control character as a \u escape.
std::string printable_json(std::string_view json);

}  // namespace nw
