// SPDX-License-Identifier: Apache-2.0
#include "kernels/weight_totals.hpp"

#include <numeric>
#include <vector>

namespace nw {
namespace {

double in_order(std::span<const double> sums) { return std::accumulate(sums.begin(), sums.end(), 0.0); }

}  // namespace

// All others add zeros, which change nothing.
double total_over_weights(RunState& state, const StepAttrs& attrs, std::span<const double> own) {
  const std::int64_t count = int_attr(attrs, "weights_of_all", 0);
  if (count == 0) return in_order(own);
  std::vector<double> all(static_cast<std::size_t>(count));
  const std::span<const double> places = reals_attr(attrs, "weight_places");
  for (std::size_t i = 0; i < places.size(); ++i) all[static_cast<std::size_t>(places[i])] = own[i];
  if (!state.communicator->all_reduce_sum(all.data(), count)) state.failed = true;
  return in_order(all);
}

}  // namespace nw
