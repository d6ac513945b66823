// SPDX-License-Identifier: Apache-2.0
#include "engine/design/data_source.hpp"

#include <algorithm>
#include <vector>

namespace nw {

std::span<const DataSource* const> all_sources() {
  static const std::vector<const DataSource*> sorted = [] {
    const auto registered = registered_sources();
    std::vector<const DataSource*> all(registered.begin(), registered.end());
    std::sort(all.begin(), all.end(), [](const DataSource* a, const DataSource* b) {
      return a->order != b->order ? a->order < b->order : a->kind.name() < b->kind.name();
    });
    return all;
  }();
  return sorted;
}

const DataSource* find_source(std::string_view name) {
  for (const DataSource* source : all_sources())
    if (source->kind.name() == name) return source;
  return nullptr;
}

const SourceOption* find_option(const DataSource& source, std::string_view id) {
  const auto it = std::find_if(source.options.begin(), source.options.end(),
                               [&](const SourceOption& option) { return option.id == id; });
  return it == source.options.end() ? nullptr : &*it;
}

}  // namespace nw
