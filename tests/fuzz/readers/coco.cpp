// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_coco(Bytes bytes) {
  const auto list = parse_coco(as_text(bytes), "/data/annotations.json");
  if (!list) return {};
  if (list->train.empty()) return {true, "a list of nothing is taken"};
  for (const auto& image : list->train)
    if (image.label < 0 || image.label >= static_cast<std::int64_t>(list->classes.size()) || image.file.empty()) return {true, "a label is no class"};
  return {true, {}};
}
