// SPDX-License-Identifier: Apache-2.0
// Every kernel of the CUDA backend in bf16, fp16 and tf32, over the random shapes of fp32: own kernels, and the
// products of the libraries. The reference implementation gets the same numbers, rounded as they are stored, in fp32.
#include "tests/kernels/precision_cases.hpp"
#include "kernels/cuda/launches.hpp"
#include "tests/kernels/cuda/fakes/fake_gpus.hpp"

namespace nw::test {
namespace {

using Param = std::tuple<std::string, DType>;
std::string title(const testing::TestParamInfo<Param>& info) {
  return std::get<0>(info.param) + "_" + name_of(std::get<1>(info.param));
}
constexpr DType halves[] = {DType::bf16, DType::f16};

class HalfElements : public testing::TestWithParam<Param> {};
TEST_P(HalfElements, AgreeWithTheReferenceOverRandomShapes) {
  const auto& [kernel, type] = GetParam();
  expect_agreement(kernel, type, *fake_gpu(), kernel.starts_with("conv2d") ? 8 : 4);
}
std::vector<std::string> kernels_with_cases() {
  std::vector<std::string> names;
  for (const cuda::Entry& e : cuda::kernel_table()) names.emplace_back(e.name);
  return kernels_of_halves(names);
}
INSTANTIATE_TEST_SUITE_P(Fake, HalfElements,
                         testing::Combine(testing::ValuesIn(kernels_with_cases()), testing::ValuesIn(halves)), title);

class HalfWeights : public testing::TestWithParam<DType> {};
TEST_P(HalfWeights, AreStoredForMoreThanOneLaunch) { expect_many_weights_in_halves(GetParam(), *fake_gpu()); }
INSTANTIATE_TEST_SUITE_P(Fake, HalfWeights, testing::ValuesIn(halves),
                         [](const auto& info) { return name_of(info.param); });

class LibraryProducts : public testing::TestWithParam<Param> {};
TEST_P(LibraryProducts, AgreeWithTheReferenceInEveryPrecision) {
  const auto& [kernel, type] = GetParam();
  cuda::use_driver_api(&cuda::fake_driver_api({}, {.cublas_lt = true, .cudnn = true}));
  expect_agreement(kernel, type, *cuda::cuda_backend().devices().front(), kernel.starts_with("conv") ? 2 : 6);
  EXPECT_FALSE(cuda::fake_library_calls().empty());
}
INSTANTIATE_TEST_SUITE_P(Fake, LibraryProducts,
                         testing::Combine(testing::ValuesIn(multiplying_kernels()),
                                          testing::Values(DType::bf16, DType::f16, DType::tf32)),
                         title);

}  // namespace
}  // namespace nw::test
