// SPDX-License-Identifier: Apache-2.0
// The lines of a table as text (RFC 4180 and the variants that spreadsheets write). Private to engine/data.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/result.hpp"

namespace nw {

/// Iterates over the lines of a text in memory, which must outlive it. The first line determines the separator: tabs,
/// else semicolons, else commas. A byte-order mark, CRLF and empty lines are ignored.
class CsvLines {
 public:
  CsvLines(std::string_view text, std::string name);
  /// Stores the cells of the next line, valid until the next call; false at the end.
  Result<bool> next(std::vector<std::string_view>& cells);
  /// Parses a number of this table: a decimal comma is allowed if commas do not separate cells. False: not a number.
  bool number(std::string_view cell, double& value) const;
  /// An error about the current line; `source` begins with "{0}, line {1}: ".
  template <class... A>
  Error wrong(std::string source, const A&... args) const {
    return fail(Errc::bad_input, std::move(source), name_, line_, args...);
  }

 private:
  Status split(std::string_view line, std::vector<std::string_view>& cells);
  Result<std::string_view> quoted(std::string_view line, std::size_t& at);

  std::string_view rest_;
  std::string name_;
  std::size_t line_ = 0;
  char separator_ = 0;
  std::deque<std::string> unquoted_;  // cells whose doubled quotes were replaced
};

inline constexpr std::uint64_t csv_limit_bytes = std::uint64_t{2} << 30;
/// Whether a column name denotes the labels: "label", "class", "target".
bool names_a_label(std::string_view cell);
/// The distinct labels in ascending order; numbers are sorted by value and precede names.
std::vector<std::string> classes_of_labels(const CsvLines& lines, std::vector<std::string> labels);

}  // namespace nw
