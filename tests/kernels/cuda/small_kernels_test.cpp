// SPDX-License-Identifier: Apache-2.0
// The kernels for small products on a fake GPU: each against the reference implementation, in every type of storage;
// LeNet-5 with them against the libraries.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/kernels/cuda/fakes/fake_gpus.hpp"
#include "tests/kernels/precision_cases.hpp"

namespace nw::test {
namespace {

std::shared_ptr<Device> gpu_with(bool small_kernels, bool libraries) {
  cuda::use_driver_api(
      &cuda::fake_driver_api({}, {.cublas_lt = libraries, .cudnn = libraries, .small_kernels = small_kernels}));
  return cuda::cuda_backend().devices().at(0);
}
bool is_small(const Results& r) {
  return std::any_of(r.choices.begin(), r.choices.end(),
                     [](const std::string& c) { return c.find("own kernel for small") != std::string::npos; });
}

using Param = std::tuple<std::string, DType>;
class SmallKernels : public testing::TestWithParam<Param> {};

TEST_P(SmallKernels, AgreeWithTheReferenceOverRandomShapes) {
  const auto& [kernel, type] = GetParam();
  const auto gpu = gpu_with(true, false);
  Rng rng(7);
  constexpr int cases = 30;
  int small = 0;
  for (int i = 0; i < cases && !HasFatalFailure(); ++i) {
    KernelCase c = generator_of(kernel)(rng);
    if (type != DType::f32) c = with_numbers_of(type, std::move(c));
    std::string shapes;
    for (const TensorCase& t : c.inputs) shapes += fmt::format(" {} {}", t.name, to_string(t.shape));
    SCOPED_TRACE(fmt::format("case {} batch {} valid {}{}", i, c.batch, c.valid, shapes));
    const Results wanted = run_case(c, kernel, *device_of(reference_backend()), 1);
    if (type != DType::f32) c.tolerance = std::max(c.tolerance, rounding_of(type)), c.precision = type;
    const Results got = run_case(c, kernel, *gpu, 1);
    small += is_small(got);
    expect_close(c, got, wanted);
  }
  EXPECT_GT(small, cases / 3) << "too many cases went to other kernels";
}
INSTANTIATE_TEST_SUITE_P(Fake, SmallKernels,
                         testing::Combine(testing::Values("conv2d", "conv2d_relu", "conv2d_grad_input",
                                                          "conv2d_grad_weight", "linear", "linear_relu",
                                                          "linear_grad_input", "linear_grad_weight"),
                                          testing::Values(DType::f32, DType::bf16, DType::f16)),
                         [](const testing::TestParamInfo<Param>& info) {
                           const DType type = std::get<1>(info.param);
                           return std::get<0>(info.param) + "_" + (type == DType::f32 ? "fp32" : name_of(type));
                         });

std::vector<double> losses_of(const NetBuilder& n, const Device& gpu, std::vector<std::string>& choices) {
  Bench b(n.tiny, gpu, 1);
  initialise(b);
  std::vector<double> all;
  for (int i = 0; i < 3; ++i) {
    load_digits(b, i * n.tiny.plan.batch);
    StepArgs a = args_for(5);
    a.step = i;
    a.learning_rate = 0.05;
    EXPECT_TRUE(static_cast<bool>(b.executable().run(a)));
    all.push_back(b.executable().metrics().loss_sum);
  }
  choices = b.executable().choices();
  return all;
}
TEST(SmallKernelsInASet, TrainLenetAsTheLibrariesDo) {
  NetBuilder n = lenet(8);
  n.train("sgd", sgd_attrs());
  std::vector<std::string> choices;
  const auto wanted = losses_of(n, *gpu_with(false, true), choices);
  EXPECT_THAT(choices, testing::Not(testing::Contains(testing::HasSubstr("own kernel for small"))));
  const auto got = losses_of(n, *gpu_with(true, true), choices);
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-5 * wanted[i]);
  EXPECT_THAT(cuda::fake_library_calls(), testing::IsEmpty()) << "LeNet-5 is small in every layer";
}

}  // namespace
}  // namespace nw::test
