// SPDX-License-Identifier: Apache-2.0
// The parts of batch normalization that compute a few numbers per channel: the same code on every CPU backend.
#pragma once
#include <algorithm>
#include <cmath>

#include "kernels/executor.hpp"

namespace nw {

/// The number of numbers per channel in the statistics of the step: those of the batch, over all replicas unless
/// `local`. At least one: a replica without samples has sums of zero.
inline double batch_norm_count(const StepArgs& a, bool local, double spatial) {
  const std::int64_t samples = local ? a.valid : a.global_valid;
  return static_cast<double>(std::max<std::int64_t>(samples, 1)) * spatial;
}
inline bool is_local(const Step& s) { return int_attr(s.attrs, "local", 0) != 0; }

/// batch_norm_finalize: sums -> mean, 1/std; updates the running statistics unless the result would not be finite.
PreparedKernel prepare_batch_norm_finalize(KernelContext&);
/// batch_norm_grad_weight: {sum dy, sum dy*xhat} -> db, dw.
PreparedKernel prepare_batch_norm_grad_weight(KernelContext&);

}  // namespace nw
