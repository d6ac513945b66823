// SPDX-License-Identifier: Apache-2.0
// Targets other than one class: multi-label data or numbers.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/csv_lines.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {

inline constexpr std::size_t most_targets = 4096;  // labels or numbers of one data set
inline constexpr double largest_target = 1e15;

/// The columns of a table that contain the targets.
struct TargetColumns {
  std::vector<std::size_t> at;
  bool one_list = false;  // labels: one column with a list in each cell, "cat|dog"
};
/// The columns that `wanted` names, separated by commas. If it names none: the column called label, class or target,
/// else all but column `path` (-1: there is none; then the first). Errors name the heading's line.
Result<TargetColumns> target_columns(const CsvLines&, const std::vector<std::string_view>& heading, TargetKind,
                                     const std::string& wanted, std::ptrdiff_t path);

/// Reads the target cells of a table's rows. The names are complete once all rows have been read. All tables of a data
/// set share one reader.
class TargetReader {
 public:
  explicit TargetReader(TargetKind kind) : kind_(kind) {}
  /// The column names become the names of the targets, unless the cells contain lists. Further tables must have the
  /// same names.
  Status begin(const CsvLines&, const std::vector<std::string_view>& heading, const TargetColumns&);
  /// Multi-label: 0 or 1 in each column, or a list separated by | or ; (empty: none). Regression: numbers.
  Status add(const CsvLines&, const std::vector<std::string_view>& cells);
  /// The targets of all rows added so far, from all tables: (rows, names).
  std::vector<float> rows() const;
  std::vector<std::string> names() const;

 private:
  Status add_list(const CsvLines&, std::string_view cell);
  const TargetKind kind_;
  TargetColumns columns_;
  std::vector<std::string> names_;
  std::vector<float> rows_;
  std::vector<std::vector<std::string>> lists_;
};

/// Groups by which samples without a class are counted, displayed and split.
struct TargetGroups {
  std::vector<std::string> names;
  std::vector<std::int64_t> of;  // one for each row
};
/// Multi-label: one group per label; a sample belongs to the group of its rarest label, or to "none". Regression: at
/// most ten ranges of the first number, with about equal numbers of samples.
TargetGroups groups_of(TargetKind, const std::vector<std::string>& names, std::span<const float> rows);

/// At most ten ranges with about equal numbers of values; equal values are in the same range. The names contain the
/// bounds of the ranges.
struct ValueRanges {
  std::vector<float> first;  // the lower bound of each
  std::vector<std::string> names;
  // the first range includes all values below it, the last one all above
  std::int64_t of(float value) const;
};
ValueRanges ranges_of(std::vector<float> values);

/// Assigns a group to every image of a list with known targets.
void group_by_targets(ImageListing&);
/// The same for sets in memory.
void group_by_targets(OpenedData&, MemoryDataset& train, MemoryDataset* test);

}  // namespace nw
