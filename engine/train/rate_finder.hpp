// SPDX-License-Identifier: Apache-2.0
// The learning-rate finder: Smith, "Cyclical learning rates for training neural networks", WACV 2017. The rate grows
// exponentially from step to step. Two rules are common: the rate at which the loss falls most steeply, and a tenth of
// that with the lowest loss (fast.ai's lr_find, "steep" and "minimum"). The first is too high where a network begins
// slowly, and the second too low; the suggestion is their geometric mean (docs/performance.md has what it is worth).
// Several seeds, since the suggestion of one depends on it.
#pragma once
#include <functional>

#include "engine/train/trial_network.hpp"

namespace nw {

struct RateSearch {
  double lowest = 1e-6, highest = 10;
  std::int64_t steps = 100;
  int seeds = 5;
};

struct RateFinding {
  std::vector<double> rates;                // of every step
  std::vector<std::vector<double>> losses;  // smoothed, for each seed; shorter where the loss has diverged
  std::vector<double> low, middle, high;    // over the seeds: smallest, median and largest loss of a step
  std::vector<double> suggestions;          // of each seed; fewer where a loss never falls
  double suggestion = 0;                    // their median; 0: the loss falls nowhere
};

/// Trains fresh networks, or forks of a run's latest checkpoint, for `steps` updates each. `tell`: after each seed,
/// with the number that are done. Errc::usage: the limits are no range.
Result<RateFinding> find_rate(TrialSource, const RateSearch&, const std::function<void(int)>& tell = {});

/// Where the loss of a curve falls most steeply per logarithm of the rate; 0: nowhere.
double steepest_rate(std::span<const double> rates, std::span<const double> losses);
/// What a curve suggests; 0: its loss falls nowhere.
double suggested_rate(std::span<const double> rates, std::span<const double> losses);

}  // namespace nw
