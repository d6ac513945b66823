// SPDX-License-Identifier: Apache-2.0
// "reference" and "cpu" share the parts of batch norm that compute a few numbers per channel, so that comparing them
// with each other shows nothing.
#include <gtest/gtest.h>

#include "tests/kernels/batch_norm_cases.hpp"

namespace nw::test {
namespace {

TEST(BatchNorm, IsThatCalculatedByHandOnTheReference) { expect_batch_norm_by_hand(*device_of(reference_backend())); }
TEST(BatchNorm, IsThatCalculatedByHandOnTheCpu) { expect_batch_norm_by_hand(*device_of(cpu_backend())); }

}  // namespace
}  // namespace nw::test
