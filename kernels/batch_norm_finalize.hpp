// SPDX-License-Identifier: Apache-2.0
// The parts of batch normalisation that work on a few numbers per channel: the same code on every CPU backend.
#pragma once
#include <cmath>

#include "kernels/executor.hpp"

namespace nw {

/// batch_norm_finalize: sums -> mean, 1/std; moves the running statistics unless they would stop being finite.
PreparedKernel prepare_batch_norm_finalize(KernelContext&);
/// batch_norm_grad_weight: {sum dy, sum dy*xhat} -> db, dw.
PreparedKernel prepare_batch_norm_grad_weight(KernelContext&);

}  // namespace nw
