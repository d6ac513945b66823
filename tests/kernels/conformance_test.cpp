// SPDX-License-Identifier: Apache-2.0
// Every kernel of the CPU backend, on every instruction set, against the reference implementation: random shapes, short
// batches, guard bytes.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <set>

#include "kernels/catalogue.hpp"
#include "kernels/cpu/vector/vector_kernels.hpp"
#include "kernels/optimizer.hpp"
#include "tests/kernels/case_runner.hpp"
#include "tests/kernels/left_out.hpp"
#include "tests/support/instruction_set.hpp"

namespace nw::test {
namespace {

// Kernels without tensors of their own work on the flat regions; optimizers_test.cpp and update_test.cpp cover them.
const std::set<std::string, std::less<>> other_on_flat_regions{"average_weights", "grad_norm",    "clip_grad_norm",
                                                               "clip_grad_value", "weight_norms", "all_reduce",
                                                               "reduce_scatter",  "all_gather"};
bool on_flat_regions(std::string_view kernel) {
  return other_on_flat_regions.count(kernel) || find_optimizer(kernel) != nullptr;
}

// Kernels of devices that store 16-bit values; tests/kernels/cuda covers them.
const std::set<std::string, std::less<>> on_halves{"store_half"};

bool offers(const Backend& backend, const std::string& kernel) {
  Step s;
  s.kernel = kernel;
  return device_of(backend)->supports(Plan{}, s).empty();
}

TEST(Catalogue, ReferenceOmitsOnlyPermittedKernels) {
  expect_left_out(
      "reference", [](const std::string& k) { return offers(reference_backend(), k); }, "kernels/reference");
}

TEST(Catalogue, CpuOmitsOnlyPermittedKernelsOnEveryInstructionSet) {
  for (const char* set : {"portable", "avx2", "avx512", "amx-emulated", "amx", "avx512bf16"}) {
    const UseInstructionSet use(set);
    SCOPED_TRACE(set);
    expect_left_out(
        "cpu", [](const std::string& k) { return offers(cpu_backend(), k); }, "kernels/cpu");
  }
}

TEST(Catalogue, EveryInstructionSetHasEveryVectorKernel) {
  std::vector<const cpu::VectorKernels*> sets{&cpu::portable::vector_kernels()};
#if defined(__x86_64__)
  sets.insert(sets.end(), {&cpu::avx2::vector_kernels(), &cpu::avx512::vector_kernels()});
#endif
  constexpr std::size_t count = sizeof(cpu::VectorKernels) / sizeof(void*),
                        tiles = offsetof(cpu::VectorKernels, tiles) / sizeof(void*);
  for (const cpu::VectorKernels* set : sets) {
    std::array<std::uintptr_t, count> pointers{};
    std::memcpy(pointers.data(), set, sizeof *set);
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_TRUE(pointers[i] != 0 || i == tiles)
          << "kernels/cpu/vector/table.cpp leaves member " << i << " of VectorKernels empty for " << set->isa;
  }
}

TEST(Catalogue, EveryKernelHasATest) {
  for (const KernelInfo& k : all_kernels())
    EXPECT_TRUE(generators().count(std::string(k.name)) || on_flat_regions(k.name) || on_halves.count(k.name))
        << "the kernel \"" << k.name
        << "\" has no test cases: write a generator for it in tests/kernels/kernel_cases.cpp (an element kernel gets "
           "one "
           "from its row in kernels/math/activation.hpp)";
}

TEST(Catalogue, AnUnknownKernelIsRejectedWithItsName) {
  Step s;
  s.kernel = "conv9d";
  EXPECT_NE(device_of(cpu_backend())->supports(Plan{}, s).str().find("conv9d"), std::string::npos);
}

class Conformance : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  void SetUp() override {
    setenv("NETWRIGHT_CPU", std::get<1>(GetParam()).c_str(), 1);
    TinyPlan tiny(1);
    const int x = tiny.value("x", {1, 1}), y = tiny.value("y", {1, 1});
    tiny.step("relu", {x}, {y});
    Bench bench(tiny, *device_of(cpu_backend()), 1);
    if (bench.executable().choices().at(0) != fmt::format("instruction set: {}", std::get<1>(GetParam())))
      GTEST_SKIP() << "this processor has no " << std::get<1>(GetParam());
  }
  void TearDown() override { unsetenv("NETWRIGHT_CPU"); }
};

TEST_P(Conformance, AgreesWithTheReferenceOverRandomShapes) {
  const std::string kernel = std::get<0>(GetParam());
  Rng rng(static_cast<unsigned>(std::hash<std::string>{}(kernel)));
  const int cases = cases_of(kernel);
  for (int i = 0; i < cases && !HasFatalFailure(); ++i) {
    const KernelCase c = generator_of(kernel)(rng);
    std::string shapes;
    for (const TensorCase& t : c.inputs) shapes += fmt::format(" {} {}", t.name, to_string(t.shape));
    SCOPED_TRACE(fmt::format("case {} batch {} valid {}{}", i, c.batch, c.valid, shapes));
    expect_close(c, run_case(c, kernel, *device_of(cpu_backend()), 1 + i % 3),
                 run_case(c, kernel, *device_of(reference_backend()), 1));
  }
}

TEST_P(Conformance, GivesTheSameBytesOnOneToFourThreads) {
  const std::string kernel = std::get<0>(GetParam());
  Rng rng(7);
  for (int i = 0; i < 3; ++i) {
    const KernelCase c = generator_of(kernel)(rng);
    const Results one = run_case(c, kernel, *device_of(cpu_backend()), 1);
    for (int threads = 2; threads <= 4; ++threads) {
      const Results many = run_case(c, kernel, *device_of(cpu_backend()), threads);
      for (std::size_t o = 0; o < one.outputs.size(); ++o)
        ASSERT_EQ(std::memcmp(one.outputs[o].data(), many.outputs[o].data(), one.outputs[o].size() * 4), 0)
            << threads << " threads";
      ASSERT_EQ(one.metrics.loss_sum, many.metrics.loss_sum);
    }
  }
}

/// The three products of a convolution (output and both gradients) over 64 channels with so few pixels that tiles of
/// 2 x 2 outputs have the least padding.
std::vector<std::pair<std::string, KernelCase>> small_images() {
  using List = std::vector<std::int64_t>;
  KernelCase c;
  c.batch = c.valid = 16;
  c.attrs = {{"stride", List{1, 1}}, {"padding", List{1, 1}}, {"dilation", List{1, 1}}, {"groups", std::int64_t{1}}};
  c.tolerance = 1e-5;
  const TensorCase x{"x", {16, 64, 6, 6}}, dy{"dy", {16, 64, 6, 6}, Fill::gradient},
      w{"w", {64, 64, 3, 3}, Fill::noise, false};
  std::vector<std::pair<std::string, KernelCase>> all(3, {"", c});
  all[0].first = "conv2d";
  all[0].second.inputs = {x, w};
  all[0].second.outputs = {{"y", x.shape}};
  all[1].first = "conv2d_grad_input";
  all[1].second.inputs = {dy, w};
  all[1].second.outputs = {{"dx", x.shape}};
  all[2].first = "conv2d_grad_weight";
  all[2].second.inputs = {dy, x};
  all[2].second.outputs = {{"dw", w.shape, Fill::noise, false}};
  return all;
}

TEST(Forms, SmallImagesWithManyChannelsAgreeWithTheReference) {
  for (const auto& [kernel, c] : small_images())
    expect_close(c, run_case(c, kernel, *device_of(cpu_backend()), 2),
                 run_case(c, kernel, *device_of(reference_backend()), 1));
}

TEST(Forms, TheTestCasesCoverEveryForm) {
  std::vector<std::pair<std::string, KernelCase>> cases = small_images();
  for (const char* kernel : {"conv2d", "conv2d_relu", "conv2d_grad_input", "conv2d_grad_weight"}) {
    // as AgreesWithTheReferenceOverRandomShapes draws them
    Rng rng(static_cast<unsigned>(std::hash<std::string>{}(kernel)));
    for (int i = 0; i < 40; ++i) cases.emplace_back(kernel, generator_of(kernel)(rng));
  }
  std::set<std::string> forms;
  for (const auto& [kernel, c] : cases)
    for (const std::string& choice : run_case(c, kernel, *device_of(cpu_backend()), 1).choices)
      for (const char* form : {"direct", "winograd 2x2 of 3x3", "winograd 4x4 of 3x3", "winograd 4x4 of 5x5",
                               "weight gradient, winograd 4x4 of 5x5"})
        if (choice.find(form) != std::string::npos) forms.insert(form);
  EXPECT_EQ(forms.size(), 5U) << fmt::format("only {}", fmt::join(forms, "; "));
}

// Images so large that a batch of one shard is split among the workers.
std::vector<std::pair<std::string, KernelCase>> large_cases() {
  using List = std::vector<std::int64_t>;
  const auto conv = [](std::int64_t taps, std::int64_t stride) {
    return StepAttrs{{"stride", List{stride, stride}},
                     {"padding", List{taps / 2, taps / 2}},
                     {"dilation", List{1, 1}},
                     {"groups", std::int64_t{1}}};
  };
  const auto make = [](std::vector<TensorCase> in, std::vector<TensorCase> out, StepAttrs attrs) {
    KernelCase c;
    c.batch = 16;
    c.valid = 13;
    c.inputs = std::move(in);
    c.outputs = std::move(out);
    c.attrs = std::move(attrs);
    return c;
  };
  const Shape image{16, 24, 48, 48}, half{16, 24, 24, 24};
  std::vector<std::pair<std::string, KernelCase>> all;
  for (const std::int64_t taps : {1, 3, 5, 7}) {
    const Shape weight{24, 24, taps, taps};
    for (const std::int64_t stride : {1, 2}) {
      const Shape y = stride == 1 ? image : half;
      all.push_back(
          {"conv2d", make({{"x", image}, {"w", weight, Fill::noise, false}}, {{"y", y}}, conv(taps, stride))});
      all.push_back({"conv2d_grad_input", make({{"dy", y, Fill::gradient}, {"w", weight, Fill::noise, false}},
                                               {{"dx", image}}, conv(taps, stride))});
      all.push_back({"conv2d_grad_weight", make({{"dy", y, Fill::gradient}, {"x", image}},
                                                {{"dw", weight, Fill::noise, false}}, conv(taps, stride))});
    }
  }
  all.push_back({"relu", make({{"x", image}}, {{"y", image}}, {})});
  all.push_back({"add", make({{"a", image}, {"b", image}}, {{"y", image}}, {})});
  return all;
}

TEST(Cut, AShardAmongManyWorkersGivesTheBytesOfOneWorker) {
  for (const auto& [kernel, c] : large_cases()) {
    SCOPED_TRACE(fmt::format("{} of {}", kernel, to_string(c.inputs[1 % c.inputs.size()].shape)));
    const Results one = run_case(c, kernel, *device_of(cpu_backend()), 1);
    for (const int threads : {2, 5}) {
      const Results many = run_case(c, kernel, *device_of(cpu_backend()), threads);
      ASSERT_EQ(std::memcmp(one.outputs[0].data(), many.outputs[0].data(), one.outputs[0].size() * 4), 0)
          << threads << " threads";
    }
  }
}

std::vector<std::string> kernels_with_tensors() {
  std::vector<std::string> names;
  for (const KernelInfo& k : all_kernels())
    if (!on_flat_regions(k.name) && !on_halves.count(k.name)) names.emplace_back(k.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Cpu, Conformance,
                         testing::Combine(testing::ValuesIn(kernels_with_tensors()),
                                          testing::Values("portable", "avx2", "avx512")),
                         [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

TEST(InstructionSet, AnUnknownNameFallsBackAndIsReported) {
  setenv("NETWRIGHT_CPU", "mmx", 1);
  TinyPlan tiny(1);
  const int x = tiny.value("x", {1, 1}), y = tiny.value("y", {1, 1});
  tiny.step("relu", {x}, {y});
  Bench bench(tiny, *device_of(cpu_backend()), 1);
  unsetenv("NETWRIGHT_CPU");
  EXPECT_NE(bench.executable().choices().at(1).find("NETWRIGHT_CPU=mmx: not one of"), std::string::npos);
}

/// What a formula makes of no image may be infinite, and sums over the batch read whole shards.
TEST(Formula, LeavesZerosInPaddingSamples) {
  Rng r(5);
  std::size_t seen = 0;
  for (int i = 0; i < 40; ++i) {
    const KernelCase c = generator_of("formula")(r);
    const Results got = run_case(c, "formula", *device_of(cpu_backend()), 1);
    for (const float f : got.padding[0]) {
      ASSERT_EQ(f, 0.0f);
      ++seen;
    }
  }
  EXPECT_GT(seen, 100U) << "no batch was short: the test shows nothing";
}

}  // namespace
}  // namespace nw::test
