// SPDX-License-Identifier: Apache-2.0
// The columns of a table, from its first two lines, for choosing targets before the table is read.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/files.hpp"

namespace nw {

struct TableHead {
  std::vector<std::string> columns, first;  // the names, and the cells of the first row; as many
  std::ptrdiff_t path = -1;                 // index of the column of image paths; -1: a table of pixels
  std::ptrdiff_t label = -1;                // of a column called label, class or target
};
/// Errc::bad_input: not a table of text with a heading and a row, or a line of more than 256 KiB. No more than that of
/// the file is read, which is untrusted.
Result<TableHead> table_head(const fs::path& table);
Result<TableHead> parse_table_head(std::string_view text, const std::string& where);

}  // namespace nw
