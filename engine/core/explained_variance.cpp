// SPDX-License-Identifier: Apache-2.0
#include "engine/core/explained_variance.hpp"

namespace nw {

void ExplainedVariance::add(std::span<const float> targets, std::span<const float> predictions) {
  for (std::size_t k = 0; k < moments_.size(); ++k) {
    const double t = targets[k], error = static_cast<double>(predictions[k]) - t;
    moments_[k].add(t);
    errors_[k] += error * error;
  }
}

std::optional<double> ExplainedVariance::of(std::size_t target) const {
  const double spread = moments_[target].squares();
  if (spread == 0) return {};
  return 1 - errors_[target] / spread;
}

std::optional<double> ExplainedVariance::all() const {
  double errors = 0, spread = 0;
  for (std::size_t k = 0; k < moments_.size(); ++k) {
    if (moments_[k].squares() == 0) continue;
    errors += errors_[k];
    spread += moments_[k].squares();
  }
  if (spread == 0) return {};
  return 1 - errors / spread;
}

}  // namespace nw
