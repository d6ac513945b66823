// SPDX-License-Identifier: Apache-2.0
// A real GPU in every precision: kernels against the reference implementation; whole steps near fp32, with the same
// bytes and the same loss scale launch by launch, as a graph and many at once, and on several GPUs as on one.
#include "kernels/cuda/launches.hpp"
#include "tests/gpu/device/on_device.hpp"
#include "tests/kernels/precision_cases.hpp"
#include "tests/kernels/precision_steps.hpp"

namespace nw::test {
namespace {

using namespace precision_steps;

std::string title_of(DType t) { return t == DType::f32 ? "fp32" : name_of(t); }

using KernelAndType = std::tuple<std::string, DType>;
std::string title(const testing::TestParamInfo<KernelAndType>& info) {
  return std::get<0>(info.param) + "_" + title_of(std::get<1>(info.param));
}
std::vector<std::string> names_of_halves() {
  std::vector<std::string> names;
  for (const cuda::Entry& e : cuda::kernel_table()) names.emplace_back(e.name);
  return kernels_of_halves(names);
}

class KernelsInPrecision : public OnDevice, public testing::WithParamInterface<KernelAndType> {};
TEST_P(KernelsInPrecision, AgreeWithTheReferenceOverRandomShapes) {
  const auto& [kernel, type] = GetParam();
  expect_agreement(kernel, type, *found().gpu, kernel.starts_with("conv") ? 8 : 4);
}
INSTANTIATE_TEST_SUITE_P(Halves, KernelsInPrecision,
                         testing::Combine(testing::ValuesIn(names_of_halves()),
                                          testing::Values(DType::bf16, DType::f16)),
                         title);
class HalfWeights : public OnDevice, public testing::WithParamInterface<DType> {};
TEST_P(HalfWeights, AreStoredForMoreThanOneLaunch) { expect_many_weights_in_halves(GetParam(), *found().gpu); }
INSTANTIATE_TEST_SUITE_P(Halves, HalfWeights, testing::Values(DType::bf16, DType::f16),
                         [](const auto& info) { return title_of(info.param); });
INSTANTIATE_TEST_SUITE_P(Products, KernelsInPrecision,
                         testing::Combine(testing::ValuesIn(multiplying_kernels()), testing::Values(DType::tf32)),
                         title);

class Precisions : public OnDevice, public testing::WithParamInterface<DType> {
 protected:
  static Learn on_gpu() {
    return [](const How& how) { return learn(GetParam(), *found().gpu, how); };
  }
};
TEST_P(Precisions, StepsAreNearFp32OfTheReference) { expect_near_fp32(GetParam(), on_gpu()); }
TEST_P(Precisions, GraphsSingleLaunchesAndBurstsGiveTheSameBytes) { expect_same_bytes_in_every_way(on_gpu()); }
TEST_P(Precisions, TheLossIsScaledAlikeInEveryWay) { expect_same_scale_in_every_way(GetParam(), on_gpu()); }

class SeveralGpus : public Precisions {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (found().gpu && found().all.size() < 2) GTEST_SKIP() << "SKIPPED: there is one GPU";
  }
  static std::vector<std::shared_ptr<Device>> some() {
    const auto& all = found().all;
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(all.size(), world))};
  }
};
TEST_P(SeveralGpus, TrainAsOne) { expect_ranks_train_as_one(GetParam(), some()); }
TEST_P(SeveralGpus, TrainTheSameBytesWithPartsOfTheState) {
  expect_ranks_with_parts_train_the_same_bytes(GetParam(), some());
}
TEST_P(SeveralGpus, SkipTheSameSteps) {
  if (GetParam() != DType::f16) GTEST_SKIP() << "only fp16 scales its loss";
  expect_ranks_skip_the_same_steps(some());
}

const auto every_precision = testing::Values(DType::f32, DType::tf32, DType::bf16, DType::f16);
std::string type_title(const testing::TestParamInfo<DType>& info) { return title_of(info.param); }
INSTANTIATE_TEST_SUITE_P(Device, Precisions, every_precision, type_title);
INSTANTIATE_TEST_SUITE_P(Device, SeveralGpus, every_precision, type_title);

}  // namespace
}  // namespace nw::test
