// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources/table_head.hpp"

#include <algorithm>

#include "engine/data/sources/csv_lines.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

using Cells = std::vector<std::string_view>;

constexpr std::size_t max_bytes = std::size_t{256} << 10;

Result<std::vector<std::string>> cells_of(CsvLines& lines, const std::string& where) {
  Cells cells;
  NW_ASSIGN(const bool more, lines.next(cells));
  if (!more) return fail(Errc::bad_input, NW_TR("{0}: has no rows"), where);
  return std::vector<std::string>(cells.begin(), cells.end());
}

}  // namespace

Result<TableHead> table_head(const fs::path& table) {
  NW_ASSIGN(const std::string text, read_start(table, max_bytes));
  return parse_table_head(text, table.string());
}

Result<TableHead> parse_table_head(std::string_view text, const std::string& where) {
  CsvLines lines(text, where);
  TableHead head;
  NW_ASSIGN(head.columns, cells_of(lines, where));
  NW_ASSIGN(head.first, cells_of(lines, where));
  if (head.columns.size() < 2 || head.first.size() != head.columns.size())
    return fail(Errc::bad_input, NW_TR("{0} is no table with a line of column names and a line for each image"), where);
  const auto path = column_of_paths(Cells(head.columns.begin(), head.columns.end()), head.first);
  if (path) head.path = static_cast<std::ptrdiff_t>(*path);
  const auto label = std::find_if(head.columns.begin(), head.columns.end(), names_a_label);
  if (label != head.columns.end()) head.label = label - head.columns.begin();
  return head;
}

}  // namespace nw
