// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/csv_lines.hpp"
#include "engine/data/sources/source_options.hpp"
#include "engine/data/sources/sources.hpp"
#include "engine/data/sources/targets.hpp"
#include "kernels/api.hpp"

namespace nw {
namespace {

constexpr std::size_t most_classes = 100000;

using Cells = std::vector<std::string_view>;

struct Table {
  std::string name;
  std::vector<std::uint8_t> pixels;  // rows × (columns - 1)
  std::vector<std::string> labels;   // for classification
  std::vector<std::size_t> targets;  // indices of the columns that contain no pixel
  std::size_t rows = 0, columns = 0;
  bool fractions = false;  // at least one pixel is not an integer
  double largest = 0;
};

/// The index of the label column, and whether the first line is a header.
struct Heading {
  std::size_t target = 0;
  bool is_header = false;
};

/// Which columns are targets. Where `targets` is null, the labels are classes.
struct ColumnSelection {
  const std::string& column;
  TargetKind kind = TargetKind::classes;
  TargetReader* targets = nullptr;
};

Result<Heading> read_heading(const CsvLines& lines, const Cells& first, const std::string& target_column) {
  if (first.size() < 2) return lines.wrong(NW_TR("{0}, line {1}: has one column; a label and pixels are needed"));
  Heading h;
  if (!target_column.empty()) {
    const auto it = std::find(first.begin(), first.end(), target_column);
    if (it == first.end())
      return lines.wrong(NW_TR("{0}, line {1}: names no column \"{2}\"; choose one of the columns in this line"),
                         target_column);
    return Heading{static_cast<std::size_t>(it - first.begin()), true};
  }
  if (const auto it = std::find_if(first.begin(), first.end(), names_a_label); it != first.end())
    return Heading{static_cast<std::size_t>(it - first.begin()), true};
  double ignored = 0;
  h.is_header =
      std::none_of(first.begin(), first.end(), [&](std::string_view cell) { return lines.number(cell, ignored); });
  return h;
}

Status append_row(const CsvLines& lines, const Cells& cells, const ColumnSelection& wanted, Table& table) {
  if (cells.size() != table.columns)
    return lines.wrong(NW_TR("{0}, line {1}: has {2} cells, the first line has {3}"), cells.size(), table.columns);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (std::binary_search(table.targets.begin(), table.targets.end(), i)) continue;
    double value = 0;
    if (!lines.number(cells[i], value) || value < 0 || value > 255)
      return lines.wrong(NW_TR("{0}, line {1}: cell {2} is \"{3}\", a pixel is a number from 0 to 255"), i + 1,
                         cells[i].substr(0, 40));
    table.largest = std::max(table.largest, value);
    table.fractions = table.fractions || value != std::floor(value);
    table.pixels.push_back(static_cast<std::uint8_t>(std::lround(value)));
  }
  ++table.rows;
  if (wanted.targets) return wanted.targets->add(lines, cells);
  table.labels.emplace_back(cells[table.targets.front()]);
  return {};
}

/// Determines the target columns, and whether the first line is a header.
Result<bool> resolve_columns(const CsvLines& lines, const Cells& first, const ColumnSelection& wanted, Table& table) {
  if (!wanted.targets) {
    NW_ASSIGN(const Heading heading, read_heading(lines, first, wanted.column));
    table.targets = {heading.target};
    return heading.is_header;
  }
  double ignored = 0;
  if (first.size() < 2 ||
      std::all_of(first.begin(), first.end(), [&](std::string_view cell) { return lines.number(cell, ignored); }))
    return lines.wrong(
        NW_TR("{0}, line {1}: the first line must name the columns, so that target columns can be chosen"));
  NW_ASSIGN(const TargetColumns columns, target_columns(lines, first, wanted.kind, wanted.column, -1));
  NW_TRY(wanted.targets->begin(lines, first, columns));
  table.targets = columns.at;
  std::sort(table.targets.begin(), table.targets.end());
  if (table.targets.size() == first.size())
    return lines.wrong(NW_TR("{0}, line {1}: every column is a target, so none is left for pixels"));
  return true;
}

Result<Table> read_table(std::string_view text, const std::string& name, const ColumnSelection& wanted) {
  CsvLines lines(text, name);
  Cells cells;
  NW_ASSIGN(bool more, lines.next(cells));
  if (!more) return fail(Errc::bad_input, NW_TR("{0}: has no rows"), name);
  Table table{.name = name, .columns = cells.size()};
  NW_ASSIGN(const bool is_header, resolve_columns(lines, cells, wanted, table));
  if (!is_header) NW_TRY(append_row(lines, cells, wanted, table));
  for (;;) {
    NW_ASSIGN(more, lines.next(cells));
    if (!more) break;
    NW_TRY(append_row(lines, cells, wanted, table));
  }
  if (table.rows == 0) return fail(Errc::bad_input, NW_TR("{0}: has no rows"), name);
  if (table.fractions && table.largest <= 1)
    return fail(Errc::bad_input,
                NW_TR("{0}: its pixels go from 0 to 1; Netwright reads 0 to 255, multiply them by 255"), name);
  return table;
}

/// The chosen shape; else a square image with one or three channels; else a single row.
Result<Shape> image_shape(const DataChoice& c, const std::string& name, std::int64_t pixels) {
  const auto square = [&](std::int64_t channels) {
    const auto side =
        static_cast<std::int64_t>(std::lround(std::sqrt(static_cast<double>(pixels) / static_cast<double>(channels))));
    return Shape{channels, side, side};
  };
  if (c.height > 0 && c.width > 0) {
    const Shape s{std::max<std::int64_t>(1, c.channels), c.height, c.width};
    if (s.elements() == pixels) return s;
    return fail(Errc::bad_input, NW_TR("{0}: rows have {1} pixels, {2}×{3}×{4} needs {5}"), name, pixels, s[1], s[2],
                s[0], s.elements());
  }
  for (const std::int64_t channels : {std::int64_t{1}, std::int64_t{3}})
    if ((c.channels == 0 || c.channels == channels) && square(channels).elements() == pixels) return square(channels);
  const std::int64_t channels = std::max<std::int64_t>(1, c.channels);
  if (pixels % channels != 0)
    return fail(Errc::bad_input, NW_TR("{0}: rows have {1} pixels, which {2} channels do not share evenly"), name,
                pixels, channels);
  return Shape{channels, 1, pixels / channels};
}

std::shared_ptr<MemoryDataset> to_set(Table& table, const Shape& s) {
  auto set = std::make_shared<MemoryDataset>(s[0], s[1], s[2]);
  set->origins_ = {fs::path(table.name).filename().string()};
  set->pixels_ = std::move(table.pixels);
  return set;
}

/// The classes are the labels of both tables.
Status classify(OpenedData& data, const CsvLines& lines, const Table& train, MemoryDataset& train_set,
                const Table& test, MemoryDataset* test_set) {
  std::vector<std::string> labels(train.labels);
  labels.insert(labels.end(), test.labels.begin(), test.labels.end());
  data.classes = classes_of_labels(lines, std::move(labels));
  if (data.classes.size() > most_classes)
    return fail(Errc::bad_input, NW_TR("{0}: {1} different labels; is the target column right?"), train.name,
                data.classes.size());
  std::map<std::string, std::int64_t> classes;
  for (const std::string& n : data.classes) classes.emplace(n, static_cast<std::int64_t>(classes.size()));
  for (const std::string& label : train.labels) train_set.labels_.push_back(classes.at(label));
  for (const std::string& label : test.labels) test_set->labels_.push_back(classes.at(label));
  return {};
}

/// Converts the target columns to the sets' targets, the training table's first.
Status take_targets(OpenedData& data, const TargetReader& reader, const Table& train, MemoryDataset& train_set,
                    MemoryDataset* test_set) {
  data.target_names = reader.names();
  if (data.target_names.empty()) return fail(Errc::bad_input, NW_TR("{0}: no image has a label"), train.name);
  if (data.target_names.size() > most_targets)
    return fail(Errc::bad_input, NW_TR("{0}: {1} different labels; is the target column right?"), train.name,
                data.target_names.size());
  const std::vector<float> rows = reader.rows();
  const auto width = static_cast<std::ptrdiff_t>(data.target_names.size()),
             of_train = static_cast<std::ptrdiff_t>(train.rows) * width;
  train_set.target_width_ = width;
  train_set.targets_.assign(rows.begin(), rows.begin() + of_train);
  if (test_set) {
    test_set->target_width_ = width;
    test_set->targets_.assign(rows.begin() + of_train, rows.end());
  }
  group_by_targets(data, train_set, test_set);
  return {};
}

}  // namespace

Result<OpenedData> parse_csv(const DataChoice& c, std::string_view train_text, const std::string& train_name,
                             std::string_view test_text, const std::string& test_name) {
  OpenedData data;
  data.target_kind = target_kind(c);
  TargetReader targets(data.target_kind);
  const ColumnSelection wanted{c.target_column, data.target_kind,
                               data.target_kind == TargetKind::classes ? nullptr : &targets};
  NW_ASSIGN(Table train, read_table(train_text, train_name, wanted));
  Table test;
  if (!test_name.empty()) {
    NW_ASSIGN(test, read_table(test_text, test_name, wanted));
    if (test.columns != train.columns)
      return fail(Errc::bad_input, NW_TR("{0} has {1} columns, {2} has {3}"), test_name, test.columns, train_name,
                  train.columns);
  }
  NW_ASSIGN(const Shape shape,
            image_shape(c, train_name, static_cast<std::int64_t>(train.columns - train.targets.size())));
  const auto train_set = to_set(train, shape), test_set = test.rows > 0 ? to_set(test, shape) : nullptr;
  if (wanted.targets)
    NW_TRY(take_targets(data, targets, train, *train_set, test_set.get()));
  else
    NW_TRY(classify(data, CsvLines(train_text, train_name), train, *train_set, test, test_set.get()));
  data.train = train_set;
  data.test = test_set;
  data.description = fs::path(train_name).filename().string();
  data.place = train_name;
  return data;
}

namespace {

Result<OpenedData> open_csv(const DataChoice& c, const fs::path& file, const fs::path& test_file) {
  NW_ASSIGN(const std::string train, read_maybe_gzip(file, csv_limit_bytes));
  std::string test;
  if (!test_file.empty()) { NW_ASSIGN(test, read_maybe_gzip(test_file, csv_limit_bytes)); }
  return parse_csv(c, train, file.string(), test, test_file.string());
}

/// Whether the table lists image paths instead of pixels, judged by its first lines.
bool is_path_table(const fs::path& file) {
  const auto start = read_start(file, std::size_t{256} << 10);
  return start && lists_paths(*start);
}

Result<ImageListing> read_path_tables(const DataChoice& c, const fs::path& place, const fs::path& test_place) {
  NW_ASSIGN(const std::string train, read_file(place, csv_limit_bytes));
  std::string test;
  if (!test_place.empty()) { NW_ASSIGN(test, read_file(test_place, csv_limit_bytes)); }
  return parse_path_table(c, train, place, test, test_place);
}

Result<SourceReading> read(const DataChoice& c, const fs::path& data_dir) {
  const fs::path place = chosen_place(c, data_dir), test = located(c.test_path);
  if (place.empty()) return fail(Errc::bad_input, NW_TR("No CSV file is chosen"));
  if (!is_path_table(place)) return SourceReading{{place, test}, false, [=] { return open_csv(c, place, test); }};
  NW_ASSIGN(ImageListing list, read_path_tables(c, place, test));
  return reading_of(std::move(list), c, place, test);
}

bool recognize(const fs::path& place) { return is_file_named(place, {".csv", ".tsv", ".csv.gz", ".tsv.gz"}); }

constexpr SourceOption options[] = {
    {.id = "file",
     .label = NW_TR("File"),
     .help = NW_TR("A line per image: its class, and its pixels or its path."),
     .kind = SourceOption::Kind::file,
     .empty = NW_TR("choose a file"),
     .text = &DataChoice::path},
    source_options::test_file,
    {.id = "target_column",
     .label = NW_TR("Column"),
     .help = NW_TR("Name of the target column; for labels and numbers, several names separated by commas."),
     .kind = SourceOption::Kind::text,
     .empty = NW_TR("label, class or target"),
     .text = &DataChoice::target_column},
    source_options::width,
    source_options::height,
    source_options::resize,
    source_options::channels};

}  // namespace

extern const DataSource csv_source{.kind = SourceKind::csv,
                                   .title = NW_TR("CSV table"),
                                   .command_line = "csv",
                                   .order = 60,
                                   .options = options,
                                   .classes_only = false,
                                   .lists_files = true,
                                   .recognize = recognize,
                                   .read = read};

}  // namespace nw
