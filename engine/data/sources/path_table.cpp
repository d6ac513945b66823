// SPDX-License-Identifier: Apache-2.0
// CSV of paths and labels.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/data/sources/csv_lines.hpp"
#include "engine/data/sources/image_list.hpp"
#include "engine/data/sources/sources.hpp"
#include "engine/data/sources/targets.hpp"

namespace nw {
namespace {

constexpr std::size_t most_classes = 100000, most_rows = 4'000'000, longest_path = 4096;
using Cells = std::vector<std::string_view>;

struct Row {
  std::string path, label;
};
struct Columns {
  std::size_t path = 0, label = 0, count = 0;
};

bool names_a_path(std::string_view cell) {
  static const std::set<std::string, std::less<>> names = {"path",       "paths",    "file",      "files", "filename",
                                                           "file_name",  "filepath", "file_path", "image", "images",
                                                           "image_path", "img",      "img_path"};
  std::string lower(cell);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return names.contains(lower);
}

std::optional<std::size_t> first_where(const Cells& cells, const std::function<bool(std::string_view)>& test) {
  const auto it = std::find_if(cells.begin(), cells.end(), test);
  return it == cells.end() ? std::nullopt : std::optional(static_cast<std::size_t>(it - cells.begin()));
}

Result<Columns> columns_of(const CsvLines& lines, const Cells& header, std::size_t path,
                           const std::string& target_column) {
  if (header.size() < 2) return lines.wrong(NW_TR("{0}, line {1}: has one column; a path and a label are needed"));
  Columns c{.path = path, .count = header.size()};
  const auto label = target_column.empty()
                         ? first_where(header, names_a_label)
                         : first_where(header, [&](std::string_view cell) { return cell == target_column; });
  if (!target_column.empty() && !label)
    return lines.wrong(NW_TR("{0}, line {1}: names no column \"{2}\"; choose one of the columns in this line"),
                       target_column);
  if (label && *label == path)
    return lines.wrong(NW_TR("{0}, line {1}: \"{2}\" is the column of paths; choose the column of classes"),
                       target_column);
  if (!label && header.size() > 2)
    return lines.wrong(NW_TR("{0}, line {1}: no column is called label, class or target; choose the class column"));
  c.label = label ? *label : 1 - path;
  return c;
}

struct Table {
  std::vector<Row> rows;
  bool fractions = false;
};

/// Which columns are targets. Where `targets` is null, the labels are classes.
struct ColumnSelection {
  const std::string& column;
  TargetKind kind = TargetKind::classes;
  TargetReader* targets = nullptr;
};

Status add_row(const CsvLines& lines, const Cells& cells, const Columns& columns, const ColumnSelection& wanted,
               Table& table) {
  if (cells.size() != columns.count)
    return lines.wrong(NW_TR("{0}, line {1}: has {2} cells, the first line has {3}"), cells.size(), columns.count);
  if (table.rows.size() >= most_rows)
    return lines.wrong(NW_TR("{0}, line {1}: more than {2} images; split the table"), most_rows);
  const std::string_view path = cells[columns.path], label = cells[columns.label];
  if (path.empty() || path.size() > longest_path)
    return lines.wrong(NW_TR("{0}, line {1}: has no path of an image in column {2}"), columns.path + 1);
  if (wanted.targets) {
    table.rows.push_back({std::string(path), {}});
    return wanted.targets->add(lines, cells);
  }
  if (label.empty()) return lines.wrong(NW_TR("{0}, line {1}: has no class in column {2}"), columns.label + 1);
  double value = 0;
  table.fractions = table.fractions || (lines.number(label, value) && value != std::floor(value));
  table.rows.push_back({std::string(path), std::string(label)});
  return {};
}

/// The columns of the path and the label; TargetReader handles other targets.
Result<Columns> resolve_columns(const CsvLines& lines, const Cells& header, std::size_t path,
                                const ColumnSelection& wanted) {
  if (!wanted.targets) return columns_of(lines, header, path, wanted.column);
  if (header.size() < 2) return lines.wrong(NW_TR("{0}, line {1}: has one column; a path and a label are needed"));
  NW_ASSIGN(const TargetColumns columns,
            target_columns(lines, header, wanted.kind, wanted.column, static_cast<std::ptrdiff_t>(path)));
  NW_TRY(wanted.targets->begin(lines, header, columns));
  return Columns{.path = path, .label = columns.at.front(), .count = header.size()};
}

Result<Table> read_table(CsvLines& lines, const std::string& name, const ColumnSelection& wanted) {
  Cells cells;
  NW_ASSIGN(bool more, lines.next(cells));
  if (!more) return fail(Errc::bad_input, NW_TR("{0}: has no rows"), name);
  const std::vector<std::string> header(cells.begin(), cells.end());
  NW_ASSIGN(more, lines.next(cells));
  if (!more) return fail(Errc::bad_input, NW_TR("{0}: has no rows"), name);
  const std::vector<std::string> first(cells.begin(), cells.end());
  const auto path = column_of_paths(Cells(header.begin(), header.end()), first);
  if (!path) return lines.wrong(NW_TR("{0}, line {1}: no column is called path, file or image"));
  NW_ASSIGN(const Columns columns, resolve_columns(lines, Cells(header.begin(), header.end()), *path, wanted));
  Table table;
  NW_TRY(add_row(lines, cells, columns, wanted, table));
  for (;;) {
    NW_ASSIGN(more, lines.next(cells));
    if (!more) break;
    NW_TRY(add_row(lines, cells, columns, wanted, table));
  }
  if (table.fractions)
    return fail(Errc::bad_input,
                NW_TR("{0}: its labels are fractional numbers, not classes; choose numbers as the target"), name);
  return table;
}

std::vector<ImageListing::Image> images_of(const Table& table, const fs::path& folder) {
  std::vector<ImageListing::Image> images;
  for (const Row& row : table.rows) images.push_back({.file = (folder / row.path).lexically_normal()});
  return images;
}

/// The classes are the labels of both tables.
Status classify(ImageListing& list, const CsvLines& lines, const Table& train, const Table& test,
                const std::string& where) {
  std::vector<std::string> labels;
  for (const Table* table : {&train, &test})
    for (const Row& row : table->rows) labels.push_back(row.label);
  list.classes = classes_of_labels(lines, std::move(labels));
  if (list.classes.size() > most_classes)
    return fail(Errc::bad_input, NW_TR("{0}: {1} different labels; is the target column right?"), where,
                list.classes.size());
  std::map<std::string, std::int64_t> classes;
  for (const std::string& n : list.classes) classes.emplace(n, static_cast<std::int64_t>(classes.size()));
  for (std::size_t i = 0; i < train.rows.size(); ++i) list.train[i].label = classes.at(train.rows[i].label);
  for (std::size_t i = 0; i < test.rows.size(); ++i) list.test[i].label = classes.at(test.rows[i].label);
  return {};
}

/// Converts the target columns to the images' targets, the training table's first.
Status take_targets(ImageListing& list, const TargetReader& reader, const std::string& where) {
  list.target_names = reader.names();
  if (list.target_names.empty()) return fail(Errc::bad_input, NW_TR("{0}: no image has a label"), where);
  if (list.target_names.size() > most_targets)
    return fail(Errc::bad_input, NW_TR("{0}: {1} different labels; is the target column right?"), where,
                list.target_names.size());
  const std::vector<float> rows = reader.rows();
  const auto width = static_cast<std::ptrdiff_t>(list.target_names.size());
  auto next = rows.begin();
  for (auto* images : {&list.train, &list.test})
    for (auto& image : *images) {
      image.targets.assign(next, next + width);
      next += width;
    }
  group_by_targets(list);
  return {};
}

}  // namespace

/// By its name, else by the file-name extensions in the first row.
std::optional<std::size_t> column_of_paths(const Cells& header, const std::vector<std::string>& first_row) {
  if (const auto named = first_where(header, names_a_path)) return named;
  const Cells row(first_row.begin(), first_row.end());
  return first_where(row, [](std::string_view cell) { return has_image_ending(std::string(cell)); });
}

bool lists_paths(std::string_view text) {
  CsvLines lines(text, "");
  Cells cells;
  if (const auto more = lines.next(cells); !more || !*more || cells.size() < 2) return false;
  const std::vector<std::string> header(cells.begin(), cells.end());
  if (const auto more = lines.next(cells); !more || !*more) return false;
  const std::vector<std::string> first(cells.begin(), cells.end());
  return column_of_paths(Cells(header.begin(), header.end()), first).has_value();
}

Result<ImageListing> parse_path_table(const DataChoice& c, std::string_view train_text, const fs::path& train_file,
                                      std::string_view test_text, const fs::path& test_file) {
  ImageListing list;
  list.target_kind = target_kind(c);
  TargetReader targets(list.target_kind);
  const ColumnSelection wanted{c.target_column, list.target_kind,
                               list.target_kind == TargetKind::classes ? nullptr : &targets};
  CsvLines lines(train_text, train_file.string());
  NW_ASSIGN(const Table train, read_table(lines, train_file.string(), wanted));
  Table test;
  if (!test_file.empty()) {
    CsvLines test_lines(test_text, test_file.string());
    NW_ASSIGN(test, read_table(test_lines, test_file.string(), wanted));
  }
  list.train = images_of(train, train_file.parent_path());
  list.test = images_of(test, test_file.parent_path());
  if (wanted.targets)
    NW_TRY(take_targets(list, targets, train_file.string()));
  else
    NW_TRY(classify(list, lines, train, test, train_file.string()));
  list.description = train_file.filename().string();
  list.place = train_file.string();
  return list;
}

}  // namespace nw
