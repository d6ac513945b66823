// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources/recognise.hpp"

#include "engine/design/data_source.hpp"

namespace nw {

std::optional<SourceKind> recognise(const fs::path& place, SourceKind preferred) {
  std::error_code ignored;
  if (!fs::exists(place, ignored)) return std::nullopt;
  const auto is_at = [&](const DataSource* source) { return source && source->recognize && source->recognize(place); };
  if (is_at(find_source(preferred.name()))) return preferred;
  for (const DataSource* source : all_sources())
    if (is_at(source)) return source->kind;
  return std::nullopt;
}

}  // namespace nw
