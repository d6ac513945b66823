// SPDX-License-Identifier: Apache-2.0
// The parts of batch normalisation that work on a few numbers per channel: the same code on every CPU backend.
#pragma once
#include <algorithm>
#include <cmath>

#include "kernels/executor.hpp"

namespace nw {

/// How many numbers of a channel the step's statistics are of: the batch's, over all replicas unless `local`. At least
/// one: a replica without samples has sums of zero.
inline double batch_norm_count(const StepArgs& a, bool local, double spatial) {
  const std::int64_t samples = local ? a.valid : a.global_valid;
  return static_cast<double>(std::max<std::int64_t>(samples, 1)) * spatial;
}
inline bool is_local(const Step& s) { return int_attr(s.attrs, "local", 0) != 0; }

/// batch_norm_finalize: sums -> mean, 1/std; moves the running statistics unless they would stop being finite.
PreparedKernel prepare_batch_norm_finalize(KernelContext&);
/// batch_norm_grad_weight: {sum dy, sum dy*xhat} -> db, dw.
PreparedKernel prepare_batch_norm_grad_weight(KernelContext&);

}  // namespace nw
