// SPDX-License-Identifier: Apache-2.0
// How a run's layers stand after a step: figures and histograms of their weights, gradients and outputs. One line of
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

/// Some numbers summed up; those that are not finite are counted and otherwise left out.
struct Figures {
  std::int64_t count = 0, zeros = 0, not_finite = 0;
  double mean = 0, deviation = 0, mean_abs = 0, norm = 0, least = 0, most = 0;  // norm: L2
  // as many as histogram_bins, of equal width from least to most; empty: there were no numbers
  std::vector<std::int64_t> bins;
  double max_abs() const;
  bool operator==(const Figures&) const = default;
};
Figures figures_of(std::span<const std::span<const float>> numbers);

struct LayerState {
  std::string layer;           // dotted name
  Figures weights, gradients;  // of all its learned tensors; gradients as the update took them
  Figures outputs;             // for the probe images, forward only
  // L2 of what the step changed by L2 of the weights before it; -1: no weights, or all were zero
  double update_ratio = -1;
  // of a ReLU: its channels or features, and those that are zero for every probe image
  std::int64_t units = 0, dead = 0;
  bool operator==(const LayerState&) const = default;
};

/// After step `step` (1-based).
struct LayerStatistics {
  std::int64_t step = 0;
  double epoch = 0;
  std::int64_t images = 0;         // of the probe
  std::vector<LayerState> layers;  // in the order of computation
};

Json to_json(const LayerStatistics&);
/// Problems are left with the reader.
LayerStatistics layer_statistics_from(JsonReader&);

/// What statistics.jsonl of a run's folder holds, oldest first. Lines that cannot be read are left out, and `problem`
/// says so in a sentence. No file: nothing, without a problem.
struct StatisticsHistory {
  std::vector<LayerStatistics> records;
  Text problem;
};
StatisticsHistory read_statistics(const std::filesystem::path& run);
/// The newest whole one, from the end of the file; none: there is no file, or nothing in its last mebibytes can be
/// read.
std::optional<LayerStatistics> last_statistics(const std::filesystem::path& run);

}  // namespace nw
