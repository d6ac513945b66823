// SPDX-License-Identifier: Apache-2.0
// Comparison of a run's epochs.
#pragma once
#include <span>

#include "engine/runs/events.hpp"

namespace nw {

/// The quantity by which epochs are compared: the accuracy on the validation set, or on the training batches if the run
/// has no validation set. 0…1; for Metric::r2 the fraction of the variance.
double compared_accuracy(const EpochEnd&);
/// The first epoch with the highest compared_accuracy(); null if there are none. NaN is never the best value unless it
/// is the first.
const EpochEnd* best_epoch(std::span<const EpochEnd>);

}  // namespace nw
