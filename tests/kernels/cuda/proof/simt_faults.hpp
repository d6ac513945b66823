// SPDX-License-Identifier: Apache-2.0
// Kernels with one fault each, which the interpreter must notice, and one without. They add 64 numbers for each part.
#pragma once
#include <span>

#include "tests/kernels/cuda/proof/metered_kernels.hpp"

namespace nw::proof {

/// The functor of these kernels: out[part] = the sum of the numbers 0 to 63.
struct SumOfThreads {
  double* out;
};
std::span<const MeteredKernel> faulty_kernels();
extern const MeteredKernel right_kernel;

}  // namespace nw::proof
