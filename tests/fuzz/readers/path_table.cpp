// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources/sources.hpp"
#include "engine/data/sources/table_head.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_path_table(Bytes bytes) {
  if (bytes.empty()) return {};
  const std::string_view table = as_text(bytes.subspan(1));
  DataChoice choice{.kind = SourceKind::csv};
  if (bytes[0] & 1) choice.target_column = "kind";
  if (bytes[0] & 4) choice.target = bytes[0] & 8 ? "values" : "labels";
  if (bytes[0] & 16) choice.target_column = "a,b";
  const bool with_test = bytes[0] & 2;
  const auto list = parse_path_table(choice, table, "/data/table.csv", with_test ? table : std::string_view(),
                                     with_test ? "/data/test.csv" : "");
  if (!list) return {};
  if (!lists_paths(table)) return {true, "is read but not known as a table of paths"};
  const auto head = parse_table_head(table, "table.csv");
  if (!head || head->path < 0) return {true, "is read, but its columns are not known before"};
  if (with_test && list->test.size() != list->train.size()) return {true, "the test table is not as long as itself"};
  for (const auto& image : list->train) {
    if (image.label < 0 || image.label >= static_cast<std::int64_t>(list->classes.size()))
      return {true, "a label is no class"};
    if (image.targets.size() != list->target_names.size())
      return {true, "an image has not as many targets as there are names"};
    if (!image.file.is_absolute()) return {true, "a path is not beside its table"};
  }
  return {!list->train.empty(), {}};
}
