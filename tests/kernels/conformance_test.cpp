// SPDX-License-Identifier: Apache-2.0
// Every kernel of the CPU backend, on every instruction set, against the reference: random shapes, short batches, guard bytes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "kernels/catalogue.hpp"
#include "tests/kernels/case_runner.hpp"

namespace nw::test {
namespace {

// Kernels without tensors of their own work on the flat regions; update_test.cpp and executor_test.cpp cover them.
const std::set<std::string, std::less<>> on_flat_regions{"grad_norm", "clip_grad_norm", "clip_grad_value", "sgd", "adam", "all_reduce"};

TEST(Catalogue, EveryBackendOffersEveryKernel) {
  Plan plan;
  for (const Backend* b : {&reference_backend(), &cpu_backend()})
    for (const KernelInfo& k : all_kernels()) {
      Step s;
      s.kernel = k.name;
      EXPECT_TRUE(device_of(*b)->supports(plan, s).empty()) << b->name << " has no " << k.name;
    }
}

TEST(Catalogue, EveryKernelHasATest) {
  for (const KernelInfo& k : all_kernels())
    EXPECT_TRUE(generators().count(std::string(k.name)) || on_flat_regions.count(k.name)) << k.name;
}

TEST(Catalogue, AnUnknownKernelIsRefusedWithItsName) {
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
  const int cases = kernel.starts_with("conv2d") ? 40 : 10;
  for (int i = 0; i < cases && !HasFatalFailure(); ++i) {
    const KernelCase c = generators().at(kernel)(rng);
    std::string shapes;
    for (const TensorCase& t : c.inputs) shapes += fmt::format(" {} {}", t.name, to_string(t.shape));
    SCOPED_TRACE(fmt::format("case {} batch {} valid {}{}", i, c.batch, c.valid, shapes));
    expect_close(c, run_case(c, kernel, *device_of(cpu_backend()), 1 + i % 3), run_case(c, kernel, *device_of(reference_backend()), 1));
  }
}

TEST(Catalogue, RandomConvolutionsTakeEveryFormThereIs) {
  std::set<std::string> forms;
  for (const char* kernel : {"conv2d", "conv2d_relu", "conv2d_grad_input", "conv2d_grad_weight"}) {
    Rng rng(static_cast<unsigned>(std::hash<std::string>{}(kernel)));   // the cases of AgreesWithTheReferenceOverRandomShapes
    for (int i = 0; i < 40; ++i) {
      const KernelCase c = generators().at(kernel)(rng);
      for (const std::string& choice : run_case(c, kernel, *device_of(cpu_backend()), 1).choices)
        for (const char* form : {"direct", "winograd 2x2 of 3x3", "winograd 4x4 of 3x3", "winograd 4x4 of 5x5", "weight gradient, winograd 4x4 of 5x5"})
          if (choice.find(form) != std::string::npos) forms.insert(form);
    }
  }
  EXPECT_EQ(forms.size(), 5U) << fmt::format("only {}", fmt::join(forms, "; "));
}

TEST_P(Conformance, GivesTheSameBytesOnOneToFourThreads) {
  const std::string kernel = std::get<0>(GetParam());
  Rng rng(7);
  for (int i = 0; i < 3; ++i) {
    const KernelCase c = generators().at(kernel)(rng);
    const Results one = run_case(c, kernel, *device_of(cpu_backend()), 1);
    for (int threads = 2; threads <= 4; ++threads) {
      const Results many = run_case(c, kernel, *device_of(cpu_backend()), threads);
      for (std::size_t o = 0; o < one.outputs.size(); ++o)
        ASSERT_EQ(std::memcmp(one.outputs[o].data(), many.outputs[o].data(), one.outputs[o].size() * 4), 0) << threads << " threads";
      ASSERT_EQ(one.metrics.loss_sum, many.metrics.loss_sum);
    }
  }
}

std::vector<std::string> kernels_with_tensors() {
  std::vector<std::string> names;
  for (const KernelInfo& k : all_kernels())
    if (!on_flat_regions.count(k.name)) names.emplace_back(k.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Cpu, Conformance,
                         testing::Combine(testing::ValuesIn(kernels_with_tensors()), testing::Values("portable", "avx2", "avx512")),
                         [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

TEST(InstructionSet, AnUnknownNameFallsBackAndSaysSo) {
  setenv("NETWRIGHT_CPU", "mmx", 1);
  TinyPlan tiny(1);
  const int x = tiny.value("x", {1, 1}), y = tiny.value("y", {1, 1});
  tiny.step("relu", {x}, {y});
  Bench bench(tiny, *device_of(cpu_backend()), 1);
  unsetenv("NETWRIGHT_CPU");
  EXPECT_NE(bench.executable().choices().at(1).find("NETWRIGHT_CPU=mmx: not one of"), std::string::npos);
}

}  // namespace
}  // namespace nw::test
