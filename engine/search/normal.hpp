// SPDX-License-Identifier: Apache-2.0
// The normal distribution, also cut off at two ends.
#pragma once

namespace nw::search {

/// The probability of a standard normal number below z.
double normal_cdf(double z);
/// The inverse of normal_cdf(); p in 0…1, the result is within ±38.
double normal_quantile(double p);
/// The logarithm of the probability of a standard normal number between a and b, a <= b; at least -700.
double log_normal_mass(double a, double b);

}  // namespace nw::search
