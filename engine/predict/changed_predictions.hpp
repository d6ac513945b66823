// SPDX-License-Identifier: Apache-2.0
// Two networks on the same images: what one gets right and the other does not.
#pragma once
#include "engine/predict/predictor.hpp"

namespace nw {

/// An image whose predicted class differs.
struct Flip {
  std::int64_t sample = 0, label = 0, before = 0, after = 0;
  float confidence_before = 0, confidence_after = 0;
  /// The probability before of the class before, less that of the class after: how narrowly it was decided. NaN: the
  /// evaluation kept no probabilities.
  float margin = 0;
};

struct ChangedPredictions {
  std::int64_t samples = 0;
  double accuracy_before = 0, accuracy_after = 0;
  // right in both, only before, only after, in neither
  std::int64_t both = 0, only_before = 0, only_after = 0, neither = 0;
  /// accuracy_after - accuracy_before, and its 95 % interval (Wald, of paired proportions).
  double change = 0, change_low = 0, change_high = 0;
  /// McNemar's exact test: the probability of so unequal counts of only_before and only_after by chance; 1: no
  /// difference.
  double p = 1;
  std::vector<Flip> flips;  // those that were most certain before come first
};

/// Of classes; Errc::bad_input: the evaluations are of other targets or of other images.
Result<ChangedPredictions> changed_predictions(const Evaluation& before, const Evaluation& after);
/// McNemar's exact two-sided test: of `a` and `b` discordant pairs.
double mcnemar(std::int64_t a, std::int64_t b);
/// Wilson's 95 % interval of a share of `of`.
std::pair<double, double> share_interval(double share, std::int64_t of);

}  // namespace nw
