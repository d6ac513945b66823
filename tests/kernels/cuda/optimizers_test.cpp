// SPDX-License-Identifier: Apache-2.0
// Every optimizer's element function as the CUDA backend calls it, on a fake GPU.
#include <gtest/gtest.h>

#include "tests/kernels/cuda/fakes/fake_gpus.hpp"
#include "tests/kernels/optimizer_cases.hpp"

namespace nw::test {
namespace {

class CudaOptimizers : public testing::TestWithParam<std::string> {};
TEST_P(CudaOptimizers, FollowPyTorch) { expect_torch(GetParam(), *fake_gpu()); }
TEST_P(CudaOptimizers, AgreeWithTheReferenceOverRandomWeights) { expect_reference(GetParam(), *fake_gpu()); }
INSTANTIATE_TEST_SUITE_P(Fake, CudaOptimizers, testing::ValuesIn(optimizer_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace nw::test
