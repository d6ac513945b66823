// SPDX-License-Identifier: Apache-2.0
// Whole steps of a compiled network in every precision, by own kernels and by the libraries: near fp32; the same bytes
// launch by launch, as a graph, and many at once, over inputs of the host and over a stored set; the same on four GPUs;
// and the same loss scale in all of them.
#include "tests/kernels/precision_steps.hpp"
#include "kernels/cuda/backend.hpp"
#include "tests/kernels/cuda/fakes/fake_device.hpp"

namespace nw {
namespace {

using namespace precision_steps;

struct Setup {
  DType type = DType::f32;
  bool libraries = false;
};
std::string title(const testing::TestParamInfo<Setup>& info) {
  constexpr std::pair<DType, const char*> names[] = {
      {DType::f32, "fp32"}, {DType::tf32, "tf32"}, {DType::bf16, "bf16"}, {DType::f16, "fp16"}};
  for (const auto& [type, name] : names)
    if (type == info.param.type) return std::string(name) + (info.param.libraries ? "ByLibraries" : "ByOwnKernels");
  return {};
}
std::vector<Setup> setups() {
  std::vector<Setup> all;
  for (const DType type : {DType::f32, DType::tf32, DType::bf16, DType::f16})
    for (const bool libraries : {false, true}) all.push_back({type, libraries});
  return all;
}

void use_fakes(const Setup& s) {
  cuda::use_driver_api(&cuda::fake_driver_api({}, {.cublas_lt = s.libraries, .cudnn = s.libraries}));
}
std::vector<std::shared_ptr<Device>> gpus(const Setup& s) {
  use_fakes(s);
  return cuda::cuda_backend().devices();
}
/// Every training begins with new fakes.
Learn on_one(const Setup& s) {
  return [s](const How& how) { return learn(s.type, *gpus(s).front(), how); };
}

class PrecisionSteps : public testing::TestWithParam<Setup> {
 protected:
  ~PrecisionSteps() override {
    cuda::fake_nccl(false);
    cuda::fake_late(false);
  }
  std::vector<std::shared_ptr<Device>> with_nccl() {
    auto all = gpus(GetParam());
    cuda::fake_nccl(true);
    return all;
  }
};

TEST_P(PrecisionSteps, AreNearFp32OfTheReference) { expect_near_fp32(GetParam().type, on_one(GetParam())); }
TEST_P(PrecisionSteps, AreTheSameBytesLaunchByLaunchAsAGraphAndManyAtOnce) {
  expect_same_bytes_in_every_way(on_one(GetParam()));
}
TEST_P(PrecisionSteps, AreTheSameBytesAsLateAsEventsAllow) {
  for (const bool kept : {false, true}) {
    const Learned prompt = on_one(GetParam())({Way::at_once, kept});
    cuda::fake_late(true);
    EXPECT_EQ(on_one(GetParam())({Way::at_once, kept}), prompt);
    cuda::fake_late(false);
  }
}
TEST_P(PrecisionSteps, SkipTheSameStepsAndScaleTheLossAlikeInEveryWay) {
  expect_same_scale_in_every_way(GetParam().type, on_one(GetParam()));
}
TEST_P(PrecisionSteps, OnFourGpusAreTheSameOnEachAndNearThoseOfOne) {
  const auto devices = with_nccl();
  ASSERT_EQ(devices.size(), world);
  expect_ranks_train_as_one(GetParam().type, devices);
}
TEST_P(PrecisionSteps, OnFourGpusWithPartsOfTheStateAreTheSameBytes) {
  expect_ranks_with_parts_train_the_same_bytes(GetParam().type, with_nccl());
}
TEST_P(PrecisionSteps, OnFourGpusSkipTheSameSteps) {
  if (GetParam().type != DType::f16) GTEST_SKIP() << "only fp16 scales its loss";
  expect_ranks_skip_the_same_steps(with_nccl());
}
INSTANTIATE_TEST_SUITE_P(Fake, PrecisionSteps, testing::ValuesIn(setups()), title);

}  // namespace
}  // namespace nw
