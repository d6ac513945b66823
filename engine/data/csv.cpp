// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "engine/data/sources.hpp"

namespace nw {
namespace {

constexpr std::size_t line_limit = std::size_t{16} << 20;

/// Cells of one line (RFC 4180 quotes); "" on success, what is wrong otherwise.
std::string split_line(std::string_view line, std::vector<std::string>& cells) {
  cells.clear();
  std::size_t at = 0;
  for (;;) {
    std::string cell;
    if (at < line.size() && line[at] == '"') {
      for (++at;; ++at) {
        if (at >= line.size()) return "a quote is not closed";
        if (line[at] != '"') { cell += line[at]; continue; }
        if (at + 1 < line.size() && line[at + 1] == '"') { cell += '"'; ++at; continue; }
        ++at;
        break;
      }
    } else {
      while (at < line.size() && line[at] != ',' && line[at] != ';' && line[at] != '\t') cell += line[at++];
    }
    cells.push_back(std::move(cell));
    if (at >= line.size()) return "";
    if (line[at] != ',' && line[at] != ';' && line[at] != '\t') return "something stands behind a closing quote";
    ++at;
  }
}

bool number(std::string_view cell, double& value) {
  while (!cell.empty() && cell.front() == ' ') cell.remove_prefix(1);
  while (!cell.empty() && cell.back() == ' ') cell.remove_suffix(1);
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value);
}

struct Table {
  std::vector<std::vector<std::uint8_t>> rows;
  std::vector<std::string> labels;
  std::size_t columns = 0;
};

Error wrong_line(const fs::path& file, std::size_t line, const std::string& what) {
  return fail(Errc::bad_input, NW_TR("{0}, line {1}: {2}"), file.string(), line, what);
}

/// All rows; a first line whose pixel cells are no numbers is the header.
Result<Table> read_table(const fs::path& file, const std::string& target_column) {
  NW_ASSIGN(const std::string bytes, read_maybe_gzip(file, std::uint64_t{2} << 30));
  std::string_view text(bytes);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Table table;
  std::size_t target = 0, line_number = 0;
  std::vector<std::string> cells;
  while (!text.empty()) {
    ++line_number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    if (line.size() > line_limit) return wrong_line(file, line_number, "longer than 16 MiB");
    if (line.find('\0') != std::string_view::npos) return wrong_line(file, line_number, "holds a zero byte; this is not a text file");
    if (const std::string what = split_line(line, cells); !what.empty()) return wrong_line(file, line_number, what);
    double value = 0;
    if (table.columns == 0) {
      table.columns = cells.size();
      if (cells.size() < 2) return wrong_line(file, line_number, "one column; a label and pixels are needed");
      const bool header = !number(cells.back(), value);
      if (!target_column.empty()) {
        const auto it = std::find(cells.begin(), cells.end(), target_column);
        if (!header || it == cells.end()) return wrong_line(file, line_number, "there is no column \"" + target_column + "\"");
        target = static_cast<std::size_t>(it - cells.begin());
      } else if (header) {
        const auto it = std::find(cells.begin(), cells.end(), "label");
        target = it == cells.end() ? 0 : static_cast<std::size_t>(it - cells.begin());
      }
      if (header) continue;
    }
    if (cells.size() != table.columns)
      return wrong_line(file, line_number, std::to_string(cells.size()) + " cells, the first line has " + std::to_string(table.columns));
    std::vector<std::uint8_t> row;
    row.reserve(cells.size() - 1);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i == target) continue;
      if (!number(cells[i], value) || value < 0 || value > 255)
        return wrong_line(file, line_number, "cell " + std::to_string(i + 1) + " is \"" + cells[i].substr(0, 40) + "\", a pixel is a number from 0 to 255");
      row.push_back(static_cast<std::uint8_t>(std::lround(value)));
    }
    table.labels.push_back(cells[target]);
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) return fail(Errc::bad_input, NW_TR("{0}: has no rows"), file.string());
  return table;
}

Result<Shape> image_shape(const DataChoice& c, const fs::path& file, std::int64_t pixels) {
  const std::int64_t channels = c.channels > 0 ? c.channels : 1;
  std::int64_t height = c.height, width = c.width;
  if (height == 0 || width == 0) {
    height = width = static_cast<std::int64_t>(std::lround(std::sqrt(static_cast<double>(pixels) / static_cast<double>(channels))));
    if (channels * height * width != pixels) { height = 1; width = pixels / channels; }
  }
  if (channels * height * width != pixels)
    return fail(Errc::bad_input, NW_TR("{0}: rows have {1} pixels, {2}×{3}×{4} needs {5}"), file.string(), pixels, height, width, channels, channels * height * width);
  return Shape{channels, height, width};
}

std::shared_ptr<MemoryDataset> to_set(Table& table, const Shape& s, const std::map<std::string, std::int64_t>& classes, const fs::path& file) {
  auto set = std::make_shared<MemoryDataset>(s[0], s[1], s[2]);
  set->origins_ = {file.filename().string()};
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    set->pixels_.insert(set->pixels_.end(), table.rows[i].begin(), table.rows[i].end());
    set->labels_.push_back(classes.at(table.labels[i]));
  }
  return set;
}

}  // namespace

Result<OpenedData> open_csv(const DataChoice& c, const fs::path& file) {
  NW_ASSIGN(Table train, read_table(file, c.target_column));
  Table test;
  if (!c.test_path.empty()) {
    NW_ASSIGN(test, read_table(c.test_path, c.target_column));
    if (test.columns != train.columns) return fail(Errc::bad_input, NW_TR("{0} has {1} columns, {2} has {3}"), c.test_path, test.columns, file.string(), train.columns);
  }
  NW_ASSIGN(const Shape shape, image_shape(c, file, static_cast<std::int64_t>(train.columns) - 1));
  // Numbers sort as numbers, names as names.
  std::vector<std::string> names(train.labels);
  names.insert(names.end(), test.labels.begin(), test.labels.end());
  const auto less = [](const std::string& a, const std::string& b) {
    double x = 0, y = 0;
    const bool m = number(a, x), n = number(b, y);
    return m && n && x != y ? x < y : m != n ? m : a < b;
  };
  std::sort(names.begin(), names.end(), less);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.size() > 100000) return fail(Errc::bad_input, NW_TR("{0}: {1} different labels; is the target column right?"), file.string(), names.size());
  std::map<std::string, std::int64_t> classes;
  for (const std::string& n : names) classes.emplace(n, static_cast<std::int64_t>(classes.size()));
  OpenedData data;
  data.classes = std::move(names);
  data.train = to_set(train, shape, classes, file);
  if (!test.rows.empty()) data.test = to_set(test, shape, classes, c.test_path);
  data.description = file.filename().string();
  data.place = file.string();
  return data;
}

}  // namespace nw
