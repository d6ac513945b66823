// SPDX-License-Identifier: Apache-2.0
// How much each parameter of a study decides whether a trial is among the best tenth: PED-ANOVA, Watanabe, Bansal and
// Hutter, "PED-ANOVA: efficiently quantifying hyperparameter importance in arbitrary subspaces", 2023, with constants
// and conditional parameters as in Optuna 5.0's PedAnovaImportanceEvaluator.
#pragma once
#include <span>
#include <vector>

#include "engine/search/trial.hpp"

namespace nw::search {

struct Importance {
  std::size_t parameter = 0;  // of the space
  double divergence = 0;      // Pearson's, of the values of the best tenth from those of all complete trials
  double share = 0;           // of the sum of all parameters, 0…1
  double low = 0, high = 0;   // interval of the share in which 90 % of the resampled studies are
};

/// Of every parameter, the largest first. Fewer than two complete trials, or no parameter that matters: all have the
/// same share. `resamples`: studies drawn with replacement for the interval; 0: low and high are the share itself.
/// 10,000 trials of 6 parameters take about 2 ms, and 1 ms more for each resample.
std::vector<Importance> importances(const Space&, std::span<const Objective>, std::span<const Trial>,
                                    int resamples = 0);

}  // namespace nw::search
