// SPDX-License-Identifier: Apache-2.0
// Python source text. Words of a project (names of layers, blocks and classes) are untrusted: they reach a file only as
// identifiers of ASCII letters and as string literals that end where they should.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nw::exchange {

/// A string literal, in double quotes. Letters of any script stay; quotes, backslashes, controls, marks of writing
/// direction and everything else beyond ASCII are escaped, and bytes that are not UTF-8 become U+FFFD.
std::string python_string(std::string_view);
/// The same without the quotes, for docstrings.
std::string python_escaped(std::string_view);
std::string python_list(const std::vector<std::string>&);  // of literals: ["a", "b"]

std::string python_number(std::int64_t);
/// The shortest literal of a float that reads back the same; `v` must be finite.
std::string python_number(double v);
inline std::string python_bool(bool v) { return v ? "True" : "False"; }
/// "3", or "(3, 5)" where height and width differ.
std::string python_pair(std::pair<std::int64_t, std::int64_t>);
std::string python_tuple(const std::vector<std::int64_t>&);  // (1, 2), (1,)

bool is_python_keyword(std::string_view);
/// [A-Za-z_][A-Za-z0-9_]*, and no keyword.
bool is_python_identifier(std::string_view);

/// "encoder_layer_3" is {"encoder_layer_", 3}; without a number at the end, or with one that begins with 0, the second
/// is -1.
std::pair<std::string, std::int64_t> numbered_name(const std::string&);
/// The text with each @MARK@ replaced.
std::string with_marks(std::string_view text, const std::vector<std::pair<std::string_view, std::string>>& marks);

/// Makes identifiers that are used once.
class PythonNames {
 public:
  explicit PythonNames(std::set<std::string> taken = {}) : taken_(std::move(taken)) {}
  /// From any text: "layer1.0" becomes layer1_0. Without a letter or digit, `otherwise`.
  std::string variable(std::string_view wanted, std::string_view otherwise);
  /// "basic block" becomes BasicBlock.
  std::string class_name(std::string_view wanted, std::string_view otherwise);
  /// "BasicBlock" becomes basic_block.
  std::string function_name(std::string_view wanted, std::string_view otherwise);
  bool take(const std::string& name) { return taken_.insert(name).second; }
  const std::set<std::string>& taken() const { return taken_; }

 private:
  std::string unique(std::string name);
  std::set<std::string> taken_;
};

/// Code that is broken into lines where it is long: a call with its arguments, a list with its items.
struct PythonCode {
  std::string open;               // "nn.Sequential(", or the whole text
  std::vector<PythonCode> parts;  // separated by commas
  std::string close;              // ")"
};
inline PythonCode code(std::string text) { return {std::move(text), {}, {}}; }
/// On one line if it ends before `columns`, otherwise a part a line. The first line begins at column `indent`.
std::string laid_out(const PythonCode&, std::size_t indent, std::size_t columns = 100);

/// Lines of a file; each is indented by four spaces a level.
class PythonLines {
 public:
  void add(int level, std::string_view line);                                     // "" : an empty line
  void code(int level, const std::string& prefix, const PythonCode& expression);  // "x = ", call
  void text(int level, std::string_view lines);  // several lines; the first may be empty
  /// `count` empty lines, if the last ones are fewer.
  void space(int count);
  const std::string& str() const { return text_; }

 private:
  std::string text_;
};

}  // namespace nw::exchange
