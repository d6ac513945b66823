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
/// The step as a number of epochs: 2.5 is half of the third epoch. Between the ends of epochs the steps are taken to be
/// evenly spaced, after the last one as in the last epoch. -1: no epoch has ended, unless the step is 0.
double epoch_of_step(std::span<const EpochEnd>, std::int64_t step);

}  // namespace nw
