// SPDX-License-Identifier: Apache-2.0
// Every kernel of the CUDA backend in bf16, fp16 and tf32, over the random shapes of fp32: own kernels, and the
// products of the libraries. The reference implementation gets the same numbers, rounded as they are stored, in fp32.
#include <gtest/gtest.h>

#include "kernels/cuda/launches.hpp"
#include "kernels/math/half.hpp"
#include "tests/kernels/case_runner.hpp"
#include "tests/kernels/cuda/fakes/fake_gpus.hpp"

namespace nw::test {
namespace {

/// How far results may be off that are stored with few bits, relative to the largest; tf32: by rounded operands.
double rounding_of(DType t) { return t == DType::bf16 ? 4e-3 : t == DType::f16 ? 6e-4 : 2e-3; }
const char* name_of(DType t) { return t == DType::bf16 ? "bf16" : t == DType::f16 ? "fp16" : "tf32"; }

double rounded(DType t, double x) {
  if (t == DType::bf16) return static_cast<float>(math::Bf16(static_cast<float>(x)));
  // the garbage in padding samples would be infinite
  return static_cast<float>(math::Half(static_cast<float>(std::clamp(x, -6e4, 6e4))));
}
/// The case with numbers that are not changed when they are stored.
KernelCase with_numbers_of(DType t, KernelCase c) {
  if (t == DType::tf32) return c;
  const auto round = [t](const std::function<double(double)>& before) {
    return [t, before](double x) { return rounded(t, before ? before(x) : x); };
  };
  for (std::size_t i = 0; i < c.inputs.size(); ++i)
    if (follows_precision(c.inputs[i]) || (i == 1 && !c.inputs[i].batched))
      c.inputs[i].through = round(c.inputs[i].through);
  return c;
}

void expect_agreement(const std::string& kernel, DType type, const Device& gpu, int cases, double tolerance) {
  Rng rng(static_cast<unsigned>(std::hash<std::string>{}(kernel)));
  for (int i = 0; i < cases && !testing::Test::HasFatalFailure(); ++i) {
    KernelCase c = with_numbers_of(type, generator_of(kernel)(rng));
    c.tolerance = std::max(c.tolerance, tolerance);
    SCOPED_TRACE(fmt::format("case {} batch {} valid {}", i, c.batch, c.valid));
    const Results wanted = run_case(c, kernel, *device_of(reference_backend()), 1);
    c.precision = type;
    expect_close(c, run_case(c, kernel, gpu, 1), wanted);
  }
}

using Param = std::tuple<std::string, DType>;
std::string title(const testing::TestParamInfo<Param>& info) {
  return std::get<0>(info.param) + "_" + name_of(std::get<1>(info.param));
}
constexpr DType halves[] = {DType::bf16, DType::f16};

class HalfElements : public testing::TestWithParam<Param> {};
TEST_P(HalfElements, AgreeWithTheReferenceOverRandomShapes) {
  const auto& [kernel, type] = GetParam();
  expect_agreement(kernel, type, *fake_gpu(), kernel.starts_with("conv2d") ? 8 : 4, rounding_of(type));
}
// These read fp32 in any plan.
bool converts(std::string_view kernel) { return kernel == "round_bf16" || kernel == "store_half"; }
std::vector<std::string> kernels_with_cases() {
  std::vector<std::string> names;
  for (const cuda::Entry& e : cuda::kernel_table())
    if (generators().count(std::string(e.name)) && !converts(e.name)) names.emplace_back(e.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Fake, HalfElements,
                         testing::Combine(testing::ValuesIn(kernels_with_cases()), testing::ValuesIn(halves)), title);

class LibraryProducts : public testing::TestWithParam<Param> {};
TEST_P(LibraryProducts, AgreeWithTheReferenceInEveryPrecision) {
  const auto& [kernel, type] = GetParam();
  cuda::use_driver_api(&cuda::fake_driver_api({}, {.cublas_lt = true, .cudnn = true}));
  expect_agreement(kernel, type, *cuda::cuda_backend().devices().front(), kernel.starts_with("conv") ? 2 : 6,
                   rounding_of(type));
  EXPECT_FALSE(cuda::fake_library_calls().empty());
}
INSTANTIATE_TEST_SUITE_P(Fake, LibraryProducts,
                         testing::Combine(testing::Values("conv2d", "conv2d_relu", "conv2d_grad_input",
                                                          "conv2d_grad_weight", "conv_transpose2d",
                                                          "conv_transpose2d_grad_input", "conv_transpose2d_grad_weight",
                                                          "linear", "linear_grad_input", "linear_grad_weight"),
                                          testing::Values(DType::bf16, DType::f16, DType::tf32)),
                         title);

}  // namespace
}  // namespace nw::test
