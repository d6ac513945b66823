// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "engine/data/sources/sources.hpp"
#include "engine/data/split/split_rules.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_split_table(Bytes bytes) {
  if (bytes.empty()) return {};
  MemoryDataset set(1, 1, 1);
  set.labels_ = {0, 1, 0, 1};
  set.pixels_ = {1, 2, 3, 4};
  set.origins_ = {"cat/1.jpg", "dog/1.jpg", "cat/2.jpg", "dog/deep/3.jpg"};
  const auto split = split_by_table(as_text(bytes.subspan(1)), "t.csv", set, (bytes[0] & 1) != 0);
  if (!split) return {};
  std::vector<int> seen(4, 0);
  for (const auto* part : {&split->train, &split->validation, &split->test})
    for (const std::int64_t i : *part) {
      if (i < 0 || i > 3 || ++seen[static_cast<std::size_t>(i)] > 1)
        return {true, "a sample that is not there, or twice"};
    }
  return {true, !split->test.empty() && (bytes[0] & 1) == 0 ? "a test that was not allowed" : ""};
}
