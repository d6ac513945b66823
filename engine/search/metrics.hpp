// SPDX-License-Identifier: Apache-2.0
// What trials can be compared by: rows of a table.
#pragma once
#include <span>
#include <string_view>

#include "kernels/result.hpp"

namespace nw::search {

/// Figures of a trial; NaN: unknown. Accuracy is the fraction of correct validation samples, R² of numeric targets.
struct Figures {
  double accuracy = 0, loss = 0;  // on the validation set, the best of all epochs
  double parameters = 0, multiply_adds = 0;
  double seconds = 0;   // of training
  double energy_j = 0;  // measured, of processors and GPUs
};

struct MetricRow {
  std::string_view name;
  Text help;
  bool maximize = false;
  double Figures::*value = nullptr;
  bool each_epoch = false;  // known while a trial trains; a pruner needs that
};

std::span<const MetricRow> all_metrics();
const MetricRow* find_metric(std::string_view name);

}  // namespace nw::search
