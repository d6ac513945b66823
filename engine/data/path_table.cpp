// SPDX-License-Identifier: Apache-2.0
// CSV of paths and labels.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/data/csv_lines.hpp"
#include "engine/data/image_list.hpp"

namespace nw {
namespace {

constexpr std::size_t most_classes = 100000, most_rows = 4'000'000, longest_path = 4096;
using Cells = std::vector<std::string_view>;

struct Row { std::string path, label; };
struct Columns { std::size_t path = 0, label = 0, count = 0; };

bool names_a_path(std::string_view cell) {
  static const std::set<std::string, std::less<>> names = {"path", "paths", "file", "files", "filename", "file_name", "filepath", "file_path", "image", "images", "image_path", "img", "img_path"};
  std::string lower(cell);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return names.contains(lower);
}

std::optional<std::size_t> first_where(const Cells& cells, const std::function<bool(std::string_view)>& test) {
  const auto it = std::find_if(cells.begin(), cells.end(), test);
  return it == cells.end() ? std::nullopt : std::optional(static_cast<std::size_t>(it - cells.begin()));
}

/// The column of paths by its name, else by the endings in the first row below.
std::optional<std::size_t> path_column(const Cells& header, const std::vector<std::string>& below) {
  if (const auto named = first_where(header, names_a_path)) return named;
  const Cells row(below.begin(), below.end());
  return first_where(row, [](std::string_view cell) { return has_image_ending(std::string(cell)); });
}

Result<Columns> columns_of(const CsvLines& lines, const Cells& header, std::size_t path, const std::string& target_column) {
  if (header.size() < 2) return lines.wrong(NW_TR("{0}, line {1}: has one column; a path and a label are needed"));
  Columns c{.path = path, .count = header.size()};
  const auto label = target_column.empty() ? first_where(header, names_a_label) : first_where(header, [&](std::string_view cell) { return cell == target_column; });
  if (!target_column.empty() && !label) return lines.wrong(NW_TR("{0}, line {1}: names no column \"{2}\"; choose one of the columns in this line"), target_column);
  if (label && *label == path) return lines.wrong(NW_TR("{0}, line {1}: \"{2}\" is the column of paths; choose the column of classes"), target_column);
  if (!label && header.size() > 2) return lines.wrong(NW_TR("{0}, line {1}: no column is called label, class or target; choose the class column"));
  c.label = label ? *label : 1 - path;
  return c;
}

struct Table {
  std::vector<Row> rows;
  bool fractions = false;
};

Status add_row(const CsvLines& lines, const Cells& cells, const Columns& columns, Table& table) {
  if (cells.size() != columns.count) return lines.wrong(NW_TR("{0}, line {1}: has {2} cells, the first line has {3}"), cells.size(), columns.count);
  if (table.rows.size() >= most_rows) return lines.wrong(NW_TR("{0}, line {1}: more than {2} images; split the table"), most_rows);
  const std::string_view path = cells[columns.path], label = cells[columns.label];
  if (path.empty() || path.size() > longest_path) return lines.wrong(NW_TR("{0}, line {1}: has no path of an image in column {2}"), columns.path + 1);
  if (label.empty()) return lines.wrong(NW_TR("{0}, line {1}: has no class in column {2}"), columns.label + 1);
  double value = 0;
  table.fractions = table.fractions || (lines.number(label, value) && value != std::floor(value));
  table.rows.push_back({std::string(path), std::string(label)});
  return {};
}

Result<Table> read_table(CsvLines& lines, const std::string& name, const std::string& target_column) {
  Cells cells;
  NW_ASSIGN(bool more, lines.next(cells));
  if (!more) return fail(Errc::bad_input, NW_TR("{0}: has no rows"), name);
  const std::vector<std::string> header(cells.begin(), cells.end());
  NW_ASSIGN(more, lines.next(cells));
  if (!more) return fail(Errc::bad_input, NW_TR("{0}: has no rows"), name);
  const std::vector<std::string> first(cells.begin(), cells.end());
  const auto path = path_column(Cells(header.begin(), header.end()), first);
  if (!path) return lines.wrong(NW_TR("{0}, line {1}: no column is called path, file or image"));
  NW_ASSIGN(const Columns columns, columns_of(lines, Cells(header.begin(), header.end()), *path, target_column));
  Table table;
  NW_TRY(add_row(lines, cells, columns, table));
  for (;;) {
    NW_ASSIGN(more, lines.next(cells));
    if (!more) break;
    NW_TRY(add_row(lines, cells, columns, table));
  }
  if (table.fractions) return fail(Errc::bad_input, NW_TR("{0}: its labels are numbers with fractions; Netwright learns classes, not quantities: put the values into classes first"), name);
  return table;
}

std::vector<ImageListing::Image> images_of(const Table& table, const fs::path& folder, const std::map<std::string, std::int64_t>& classes) {
  std::vector<ImageListing::Image> images;
  for (const Row& row : table.rows) images.push_back({(folder / row.path).lexically_normal(), classes.at(row.label)});
  return images;
}

}  // namespace

bool lists_paths(std::string_view text) {
  CsvLines lines(text, "");
  Cells cells;
  if (const auto more = lines.next(cells); !more || !*more || cells.size() < 2) return false;
  const std::vector<std::string> header(cells.begin(), cells.end());
  if (const auto more = lines.next(cells); !more || !*more) return false;
  const std::vector<std::string> first(cells.begin(), cells.end());
  return path_column(Cells(header.begin(), header.end()), first).has_value();
}

Result<ImageListing> parse_path_table(const DataChoice& c, std::string_view train_text, const fs::path& train_file, std::string_view test_text, const fs::path& test_file) {
  CsvLines lines(train_text, train_file.string());
  NW_ASSIGN(const Table train, read_table(lines, train_file.string(), c.target_column));
  Table test;
  if (!test_file.empty()) {
    CsvLines test_lines(test_text, test_file.string());
    NW_ASSIGN(test, read_table(test_lines, test_file.string(), c.target_column));
  }
  ImageListing list;
  std::vector<std::string> labels;
  for (const Table* table : {&train, static_cast<const Table*>(&test)})
    for (const Row& row : table->rows) labels.push_back(row.label);
  list.classes = classes_of_labels(lines, std::move(labels));
  if (list.classes.size() > most_classes)
    return fail(Errc::bad_input, NW_TR("{0}: {1} different labels; is the target column right?"), train_file.string(), list.classes.size());
  std::map<std::string, std::int64_t> classes;
  for (const std::string& n : list.classes) classes.emplace(n, static_cast<std::int64_t>(classes.size()));
  list.train = images_of(train, train_file.parent_path(), classes);
  list.test = images_of(test, test_file.parent_path(), classes);
  list.description = train_file.filename().string();
  list.place = train_file.string();
  return list;
}

}  // namespace nw
