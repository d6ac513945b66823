// SPDX-License-Identifier: Apache-2.0
// Precision automatic: products are in bf16 exactly where the device computes them faster so; nothing else is rounded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "engine/scaling/planned_device.hpp"
#include "kernels/catalogue.hpp"
#include "tests/engine/compile/planned.hpp"
#include "tests/support/instruction_set.hpp"
#include "tests/support/net_text.hpp"

namespace nw {
namespace {

Plan planned_by_64(const GraphDoc& doc, const Device& device, bool training = true) {
  return planned(doc, {.training = training, .batch = 64, .device = &device});
}
using testing::HasSubstr;

GraphDoc in(Precision precision, GraphDoc doc) {
  TrainSettings s = doc.settings();
  s.precision = precision;
  test::edit(doc, {PutSettings{s}});
  return doc;
}
std::vector<std::string> lines_of(const Plan& p) {
  std::vector<std::string> all;
  for (const Step& s : p.steps) all.push_back(s.label + " " + s.kernel + (rounds_operands(s) ? " rounds" : ""));
  return all;
}
std::int64_t rounded(const Plan& p) { return std::count_if(p.steps.begin(), p.steps.end(), rounds_operands); }
std::int64_t steps_that_round(const Plan& p) {
  return std::count_if(p.steps.begin(), p.steps.end(), [](const Step& s) { return s.kernel == "round_bf16"; });
}

constexpr const char* networks[] = {"mlp", "lenet5", "resnet18-cifar", "vgg13-cifar"};

/// A processor with instructions for bf16, whatever this one has.
class AutomaticOnTiles : public testing::Test {
  const test::UseInstructionSet set_{"amx-emulated"};

 protected:
  const std::shared_ptr<Device> cpu_ = cpu_backend().devices().front();
};

TEST_F(AutomaticOnTiles, OnlyProductsThatAreFasterAreRoundedAndByNoStepsOfTheirOwn) {
  for (const char* name : networks)
    for (const bool training : {true, false}) {
      SCOPED_TRACE(name);
      const GraphDoc doc = find_template(name)->make();
      const Plan p = planned_by_64(in(std::nullopt, doc), *cpu_, training),
                 whole = planned_by_64(in(DType::bf16, doc), *cpu_, training);
      EXPECT_EQ(p.compute, DType::bf16);
      EXPECT_EQ(steps_that_round(p), 0) << "they cost time, and fp32 needs none";
      EXPECT_GT(rounded(p), 0);
      EXPECT_LE(rounded(p), rounded(whole)) << "in bf16 rounding by tiles also saves the steps that round";
    }
}

std::int64_t rounded(const Plan& p, std::string_view kernel) {
  return std::count_if(p.steps.begin(), p.steps.end(),
                       [&](const Step& s) { return s.kernel == kernel && rounds_operands(s); });
}

TEST_F(AutomaticOnTiles, TilesThatOnlySaveStepsWhichRoundAreNotTaken) {
  for (const char* product : {"conv2d", "conv2d_grad_weight"}) {
    std::int64_t fewer = 0;
    for (const int channels : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32})
      for (const int kernel : {1, 3, 5, 7}) {
        const GraphDoc doc = test::net("images: Input 3x14x14; a: Conv2d out_channels=" + std::to_string(channels) +
                                       "; b: Conv2d out_channels=8 kernel_size=" + std::to_string(kernel) +
                                       "; flatten: Flatten; fc: Linear; loss: CrossEntropy");
        const auto of = [&](Precision precision) { return rounded(planned_by_64(in(precision, doc), *cpu_), product); };
        EXPECT_LE(of(std::nullopt), of(DType::bf16));
        fewer += of(std::nullopt) < of(DType::bf16);
      }
    EXPECT_GT(fewer, 0) << product;
  }
}

TEST_F(AutomaticOnTiles, AProductThatTilesDoNotComputeStaysInFp32) {
  const GraphDoc grouped = test::net(
      "images: Input 8x8x8; a: Conv2d out_channels=64 groups=8 padding=1; flatten: Flatten; "
      "fc: Linear out_features=64; loss: CrossEntropy");
  const Plan p = planned_by_64(in(std::nullopt, grouped), *cpu_);
  for (const Step& s : p.steps)
    if (s.kernel.starts_with("conv2d")) EXPECT_FALSE(rounds_operands(s)) << s.kernel;
  EXPECT_EQ(steps_that_round(p), 0);
  EXPECT_GT(steps_that_round(planned_by_64(in(DType::bf16, grouped), *cpu_)), 0);
}

TEST_F(AutomaticOnTiles, ASentenceCountsTheProducts) {
  const Plan p = planned_by_64(in(std::nullopt, find_template("vgg13-cifar")->make()), *cpu_);
  const std::string said = precision_choice(p, *cpu_).str();
  EXPECT_THAT(said, HasSubstr("bf16 in " + std::to_string(rounded(p)) + " of 32 products"));
  EXPECT_THAT(said, HasSubstr("cpu"));
}

TEST(AutomaticPrecision, IsFp32OnAProcessorWithoutInstructionsForBf16) {
  for (const char* set : {"portable", "avx2", "avx512"}) {
    if (!test::runs_here(set)) continue;
    const test::UseInstructionSet use(set);
    const auto cpu = cpu_backend().devices().front();
    for (const char* name : networks) {
      const GraphDoc doc = find_template(name)->make();
      const Plan p = planned_by_64(in(std::nullopt, doc), *cpu);
      EXPECT_EQ(p.compute, DType::f32) << set;
      EXPECT_EQ(lines_of(p), lines_of(planned_by_64(in(DType::f32, doc), *cpu))) << set << " " << name;
      EXPECT_THAT(precision_choice(p, *cpu).str(), HasSubstr("fp32")) << set;
    }
  }
}

TEST(AutomaticPrecision, TheReferenceImplementationComputesInFp32) {
  const auto reference = reference_backend().devices().front();
  EXPECT_EQ(planned_by_64(in(std::nullopt, find_template("mlp")->make()), *reference).compute, DType::f32);
}

TEST(AutomaticPrecision, AGpuComputesAndStoresBf16) {
  const auto gpu = scaling::planned_device("H100");
  ASSERT_TRUE(gpu) << gpu.error().str();
  const GraphDoc doc = find_template("resnet18-cifar")->make();
  const Plan p = planned_by_64(in(std::nullopt, doc), *gpu->device);
  EXPECT_EQ(p.compute, DType::bf16);
  EXPECT_EQ(lines_of(p), lines_of(planned_by_64(in(DType::bf16, doc), *gpu->device)));
  EXPECT_THAT(precision_choice(p, *gpu->device).str(), HasSubstr("bf16"));
}

TEST(AutomaticPrecision, IsThatOfNewProjectsAndNotOfTemplates) {
  const Template& t = *find_template("lenet5");
  EXPECT_EQ(new_project(t).settings().precision, std::nullopt);
  EXPECT_EQ(t.make().settings().precision, DType::f32) << "what files without the setting mean";
  GraphDoc only_that = new_project(t);
  EXPECT_EQ(in(DType::f32, only_that), t.make());
}

}  // namespace
}  // namespace nw
