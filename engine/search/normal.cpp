// SPDX-License-Identifier: Apache-2.0
#include "engine/search/normal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nw::search {

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// Abramowitz and Stegun 26.2.23 as a start (error 4.5e-4), then Newton's method on the logarithm's side of the smaller
// tail, where the difference of probabilities is exact enough.
double normal_quantile(double p) {
  if (!(p > 0)) return -38;
  if (!(p < 1)) return 38;
  const bool upper = p > 0.5;
  const double tail = upper ? 1 - p : p;
  if (!(tail > 0)) return 38;
  const double t = std::sqrt(-2 * std::log(tail));
  double z = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (int i = 0; i < 4; ++i) {
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
    if (!(density > 0)) break;
    const double error = (normal_cdf(z) - tail) / density;
    z -= error / (1 + 0.5 * z * error);  // Halley
  }
  return upper ? -z : z;
}

double log_normal_mass(double a, double b) {
  if (a > 0) return log_normal_mass(-b, -a);  // the lower tail keeps its digits
  const double mass = b > 0 ? 1 - normal_cdf(a) - normal_cdf(-b) : normal_cdf(b) - normal_cdf(a);
  return std::log(std::max(mass, 1e-304));
}

}  // namespace nw::search
