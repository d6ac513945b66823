// SPDX-License-Identifier: Apache-2.0
// Every kernel of the plug-in in the interpreter: the results of the reference implementation, and no two threads that
// touch the same memory without an order.
#include "tests/kernels/cuda/proof/simt.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "kernels/cuda/blocks/list.hpp"
#include "kernels/cuda/launches.hpp"
#include "tests/kernels/cuda/fakes/fake_gpus.hpp"
#include "tests/kernels/cuda/proof/simt_faults.hpp"
#include "tests/kernels/precision_cases.hpp"

namespace nw::proof {
namespace {

using test::KernelCase;

constexpr unsigned seeds = 8;

TEST(Simt, AKernelWithoutFaultsHasNone) {
  for (unsigned seed = 0; seed < seeds; ++seed)
    for (const unsigned blocks : {1u, 2u, 5u}) {
      std::vector<double> sums(5);
      const SumOfThreads f{sums.data()};
      EXPECT_THAT(interpret(right_kernel, &f, 5, blocks, seed), testing::IsEmpty());
      EXPECT_THAT(sums, testing::Each(64 * 63 / 2));
    }
}
TEST(Simt, EveryPlantedFaultIsNoticedWhateverTheOrder) {
  for (const MeteredKernel& k : faulty_kernels())
    for (unsigned seed = 0; seed < seeds; ++seed) {
      std::vector<double> sums(5);
      const SumOfThreads f{sums.data()};
      EXPECT_THAT(interpret(k, &f, 5, 2, seed), testing::Not(testing::IsEmpty())) << k.name << ", seed " << seed;
    }
}

struct Interpreting {
  Interpreter interpreter;
  explicit Interpreting(bool small_kernels = false) {
    cuda::use_driver_api(&cuda::fake_driver_api({}, {.small_kernels = small_kernels}));
    cuda::fake_meter(&interpreter);
  }
  ~Interpreting() { cuda::fake_meter(nullptr); }
  std::shared_ptr<Device> gpu() const { return cuda::cuda_backend().devices().front(); }
};

void compare(const std::string& kernel, DType type, const Device& gpu, int cases) {
  test::Rng rng(static_cast<unsigned>(std::hash<std::string>{}(kernel)) + 1);
  for (int i = 0; i < cases && !testing::Test::HasFatalFailure(); ++i) {
    KernelCase c = test::generator_of(kernel)(rng);
    if (type != DType::f32) {
      c = test::with_numbers_of(type, std::move(c));
      c.tolerance = std::max(c.tolerance, test::rounding_of(type));
    }
    SCOPED_TRACE(fmt::format("{} case {} batch {} valid {}", kernel, i, c.batch, c.valid));
    const test::Results wanted = run_case(c, kernel, *test::device_of(reference_backend()), 1);
    if (type != DType::f32) c.precision = type;
    expect_close(c, run_case(c, kernel, gpu, 1), wanted);
  }
}

/// Whether the name of a kernel is that of a type of storage.
bool is_of(const std::string& kernel, DType type) {
  return kernel.ends_with(type == DType::f32 ? "_f32" : type == DType::bf16 ? "_bf16" : "_f16");
}

class SimtKernels : public testing::TestWithParam<DType> {
 protected:
  void interpret_all(bool small) {
    const Interpreting now(small);
    for (const cuda::Entry& e : cuda::kernel_table()) {
      const std::string name(e.name);
      const bool multiplies = name.starts_with("conv2d") || name.starts_with("linear"),
                 fits = GetParam() == DType::f32 || (name != "round_bf16" && name != "store_half");
      if (test::generators().count(name) && fits && (multiplies || !small))
        compare(name, GetParam(), *now.gpu(), small ? 8 : 3);
    }
    EXPECT_THAT(now.interpreter.faults(), testing::IsEmpty());
    kernels.insert(now.interpreter.kernels().begin(), now.interpreter.kernels().end());
  }
  const bool is_long = std::getenv("NETWRIGHT_LONG") != nullptr;
  std::set<std::string> kernels;
};
TEST_P(SimtKernels, AgreeWithTheReferenceAndShareNothingWithoutAnOrder) {
  if (!is_long) GTEST_SKIP() << "NETWRIGHT_LONG is not set";
  interpret_all(false);
  interpret_all(true);
  for (const MeteredKernel& k : metered_kernels())
    if (k.threads > 0 && is_of(k.name, GetParam()) && !std::string_view(k.name).starts_with("nw_sum_columns")) {
      EXPECT_TRUE(kernels.count(k.name)) << k.name << " was not run";
    }
}
INSTANTIATE_TEST_SUITE_P(Cases, SimtKernels, testing::Values(DType::f32, DType::bf16, DType::f16),
                         [](const testing::TestParamInfo<DType>& info) {
                           return std::string(info.param == DType::f32 ? "fp32" : test::name_of(info.param));
                         });

TEST(SimtSteps, OfLenetShareNothingWithoutAnOrder) {
  for (const bool small : {false, true}) {
    const Interpreting now(small);
    test::NetBuilder n = test::lenet(3);
    n.train("sgd", test::sgd_attrs(), 0.5);
    test::Bench b(n.tiny, *now.gpu(), 1);
    test::initialise(b);
    test::load_digits(b, 0);
    EXPECT_TRUE(static_cast<bool>(b.executable().run(test::step_args(0, 2, 0.05))));
    EXPECT_THAT(now.interpreter.faults(), testing::IsEmpty());
    EXPECT_THAT(now.interpreter.kernels(), testing::IsSupersetOf({"nw_squares_of_gradients", "nw_collect_loss"}));
  }
}

}  // namespace
}  // namespace nw::proof
