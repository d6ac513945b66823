// SPDX-License-Identifier: Apache-2.0
#include "engine/data/dataset.hpp"
#include "engine/data/sources/sources.hpp"
#include "tests/fuzz/readers/readers.hpp"

namespace nw::fuzz {
namespace {

DataChoice choice_of(std::uint8_t bits) {
  DataChoice choice{.kind = SourceKind::csv};
  if (bits & 1) choice.target_column = "label";
  if (bits & 2) choice.channels = 3;
  if (bits & 4) choice.height = choice.width = 2;
  if (bits & 16) choice.target = bits & 32 ? "values" : "labels";
  if (bits & 64) choice.target_column = "a,b";
  return choice;
}

}  // namespace

Outcome read_csv(Bytes bytes) {
  if (bytes.empty()) return {};
  const std::string_view table = as_text(bytes.subspan(1));
  const bool with_test = bytes[0] & 8;
  const auto opened =
      parse_csv(choice_of(bytes[0]), table, "table", with_test ? table : std::string_view(), with_test ? "test" : "");
  if (!opened) return {};
  const Dataset& train = *opened->train;
  const auto classes = static_cast<std::int64_t>(opened->classes.size());
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(train.bytes()));
  for (std::int64_t i = 0; i < train.size(); ++i) {
    if (!train.pixels(i, pixels)) return {true, "the pixels of a row cannot be had"};
    if (train.label(i) < 0 || train.label(i) >= classes) return {true, "a label is no class"};
    if (train.targets(i).size() != opened->target_names.size())
      return {true, "a row has not as many targets as there are names"};
  }
  if (with_test && (!opened->test || opened->test->size() != train.size()))
    return {true, "the test table is not as long as itself"};
  return {true, {}};
}

}  // namespace nw::fuzz
