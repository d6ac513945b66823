// SPDX-License-Identifier: Apache-2.0
// Statistics of a run's layers after a step: numbers and histograms of weights, gradients and outputs. One line of
// statistics.jsonl each, in the form of an event.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/json.hpp"

namespace nw {

inline constexpr std::size_t histogram_bins = 24;

/// Statistics of a set of numbers; non-finite ones are counted and otherwise ignored.
struct Figures {
  std::int64_t count = 0, zeros = 0, not_finite = 0;
  double mean = 0, deviation = 0, mean_abs = 0, norm = 0, least = 0, most = 0;  // norm: L2
  // histogram_bins of equal width from least to most; empty: no numbers
  std::vector<std::int64_t> bins;
  double max_abs() const;
  bool operator==(const Figures&) const = default;
};
Figures figures_of(std::span<const std::span<const float>> numbers);

struct LayerState {
  std::string layer;           // dotted name
  Figures weights, gradients;  // over all its learned tensors; gradients as used by the update
  Figures outputs;             // for the measured images, forward only
  // L2 norm of the step's change divided by that of the weights before it; -1: no weights, or all were zero
  double update_ratio = -1;
  // of a ReLU: its channels or features, and those that are zero for all measured images
  std::int64_t units = 0, dead = 0;
  bool operator==(const LayerState&) const = default;
};

/// After step `step` (1-based).
struct LayerStatistics {
  std::int64_t step = 0;
  double epoch = 0;
  std::int64_t images = 0;         // number of measured images
  std::vector<LayerState> layers;  // in the order of computation
};

Json to_json(const LayerStatistics&);
/// Parses one record. Problems are recorded in the reader.
LayerStatistics layer_statistics_from(JsonReader&);

/// The contents of a run's statistics.jsonl, oldest first. Unreadable lines are omitted and reported in `problem`.
/// Without a file: empty, without a problem.
struct StatisticsHistory {
  std::vector<LayerStatistics> records;
  Text problem;
};
StatisticsHistory read_statistics(const std::filesystem::path& run);
/// The newest complete record, searched from the end of the file; nullopt: no file, or nothing readable in its last
/// mebibytes.
std::optional<LayerStatistics> last_statistics(const std::filesystem::path& run);

}  // namespace nw
