// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <unordered_set>

#include "engine/doctor/examine.hpp"
#include "engine/train/training_data.hpp"

namespace nw::doctor {
namespace {

/// Calls take(index, hash) for each image.
template <class F>
Status each_hash(const Dataset& set, const std::vector<std::int64_t>& indices, F take) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(set.bytes()));
  for (const std::int64_t i : indices) {
    const std::uint8_t* bytes = set.in_memory(i);
    if (!bytes) {
      NW_TRY(set.pixels(i, pixels));
      bytes = pixels.data();
    }
    take(i, xxh3({reinterpret_cast<const char*>(bytes), pixels.size()}));
  }
  return {};
}

}  // namespace

Result<std::optional<DataFigures>> measure_data(const fs::path& run) {
  NW_ASSIGN(RunDefinition definition, read_run_definition(run));
  NW_ASSIGN(const TrainingData data, open_training_data(definition, true, true));
  const Dataset& set = *data.opened.train;
  std::unordered_set<std::uint64_t> train;
  std::map<std::int64_t, std::int64_t> classes;
  NW_TRY(each_hash(set, data.splits.train, [&](std::int64_t, std::uint64_t h) { train.insert(h); }));
  DataFigures found{.image_bytes = set.bytes()};
  NW_TRY(each_hash(set, data.splits.validation, [&](std::int64_t i, std::uint64_t h) {
    ++found.validation;
    if (train.contains(h)) ++found.shared;
    ++classes[set.label(i)];
  }));
  if (found.validation == 0) return std::optional<DataFigures>();
  std::int64_t most = 0;
  for (const auto& [label, count] : classes) most = std::max(most, count);
  if (data.facts.targets == TargetKind::classes)
    found.most_common = static_cast<double>(most) / static_cast<double>(found.validation);
  return std::optional(found);
}

void take_figures(Record& r, const DataFigures& figures) {
  r.data = figures;
  if (r.chance > 0) r.chance = std::max(r.chance, figures.most_common);
}

}  // namespace nw::doctor
