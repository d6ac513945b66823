// SPDX-License-Identifier: Apache-2.0
// Comparison of a run's epochs.
#pragma once
#include <span>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/runs/events.hpp"

namespace nw {

/// The quantity by which epochs are compared: the accuracy on the validation set, or on the training batches if the run
/// has no validation set. 0…1; for Metric::r2 the fraction of the variance.
double compared_accuracy(const EpochEnd&);
/// The rule by which the best epoch is chosen, while it trains and afterwards: a higher accuracy, or the same with a
/// lower loss. An epoch whose loss is not finite is never better.
bool is_better(double accuracy, double loss, double best_accuracy, double best_loss);
/// The best epoch by is_better(), of equal ones the first; null if there are none.
const EpochEnd* best_epoch(std::span<const EpochEnd>);
/// The finished epochs in a run's events.jsonl, without those that were taken back when the run was resumed from an
/// earlier checkpoint. Empty if the file cannot be read.
std::vector<EpochEnd> recorded_epochs(const fs::path& run);

}  // namespace nw
