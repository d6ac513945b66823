// SPDX-License-Identifier: Apache-2.0
// Batch normalization against numbers calculated by hand; for every backend.
#pragma once
#include "tests/support/tiny_plan.hpp"

namespace nw::test {

/// The mean and 1/std of a step, the running statistics (the variance without bias, as PyTorch keeps it) and the
/// gradients of weight and bias, of the first three images of a batch of four.
void expect_batch_norm_by_hand(const Device&);

}  // namespace nw::test
