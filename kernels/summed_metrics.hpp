// SPDX-License-Identifier: Apache-2.0
// The metrics of a step, which all replicas add up. Private to the kernels that sum gradients.
#pragma once
#include "kernels/executor.hpp"

namespace nw {

/// Puts the sums over all replicas in place of this one's metrics. `sum` adds the three numbers of every replica;
/// false: a replica is lost, and the step has failed. Called by one worker, after a barrier.
template <class Sum>
void sum_metrics(RunState& s, const Sum& sum) {
  s.collect_losses();
  double m[3] = {s.metrics.loss_sum, static_cast<double>(s.metrics.correct), static_cast<double>(s.metrics.samples)};
  if (!sum(m)) {
    s.failed = true;
    return;
  }
  s.metrics.loss_sum = m[0];
  s.metrics.correct = static_cast<std::int64_t>(m[1]);
  s.metrics.samples = static_cast<std::int64_t>(m[2]);
}

}  // namespace nw
