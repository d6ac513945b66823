// SPDX-License-Identifier: Apache-2.0
// Excludes samples by name.
#include <algorithm>

#include "engine/core/path_text.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/split/split.hpp"

namespace nw {
namespace {

std::vector<std::string> in_order(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

void exclude(DataChoice& c, const std::vector<std::string>& names) {
  c.excluded.insert(c.excluded.end(), names.begin(), names.end());
  c.excluded = in_order(std::move(c.excluded));
}

void include(DataChoice& c, const std::vector<std::string>& names) {
  const std::vector<std::string> back = in_order(names);
  std::erase_if(c.excluded,
                [&](const std::string& name) { return std::binary_search(back.begin(), back.end(), name); });
}

std::vector<std::int64_t> excluded_of(const Dataset& set, bool test_set, const DataChoice& c) {
  std::vector<std::int64_t> found;
  if (c.excluded.empty()) return found;
  const std::vector<std::string> names = in_order(c.excluded);
  for (std::int64_t i = 0; i < set.size(); ++i)
    if (std::binary_search(names.begin(), names.end(), path_to_text(sample_name(test_set, set.origin(i)))))
      found.push_back(i);
  return found;
}

}  // namespace nw
