// SPDX-License-Identifier: Apache-2.0
// Every optimizer: against PyTorch's numbers (tests/reference/make/optimizers.py), every instruction set against the
// reference over random weights, and the same bytes on every number of threads.
#include "tests/kernels/optimizer_cases.hpp"

#include <gtest/gtest.h>

#include <set>

namespace nw::test {
namespace {

class CpuOptimizers : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  void SetUp() override {
    setenv("NETWRIGHT_CPU", std::get<1>(GetParam()).c_str(), 1);
    const OptimizerRun run{{.optimizer = "sgd"}, *device_of(cpu_backend()), 1};
    if (run.choice() != "instruction set: " + std::get<1>(GetParam()))
      GTEST_SKIP() << "this processor has no " << std::get<1>(GetParam());
  }
  void TearDown() override { unsetenv("NETWRIGHT_CPU"); }
  std::string optimizer() const { return std::get<0>(GetParam()); }
};

TEST_P(CpuOptimizers, FollowPyTorch) { expect_torch(optimizer(), *device_of(cpu_backend())); }

TEST_P(CpuOptimizers, AgreeWithTheReferenceOverRandomWeights) {
  expect_reference(optimizer(), *device_of(cpu_backend()));
}

TEST_P(CpuOptimizers, GiveTheSameBytesOnOneToFourThreads) {
  for (const RandomCase& c : random_cases(optimizer())) {
    const std::vector<float> one = run_random(c, *device_of(cpu_backend()), 1);
    for (int threads = 2; threads <= 4; ++threads)
      ASSERT_EQ(run_random(c, *device_of(cpu_backend()), threads), one) << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(All, CpuOptimizers,
                         testing::Combine(testing::ValuesIn(optimizer_names()),
                                          testing::Values("portable", "avx2", "avx512")),
                         [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

class ReferenceOptimizers : public testing::TestWithParam<std::string> {};
TEST_P(ReferenceOptimizers, FollowPyTorch) { expect_torch(GetParam(), *device_of(reference_backend())); }
INSTANTIATE_TEST_SUITE_P(All, ReferenceOptimizers, testing::ValuesIn(optimizer_names()),
                         [](const auto& info) { return info.param; });

TEST(OptimizerRecords, HaveUniqueNamesTitlesAndSummaries) {
  std::set<std::string_view> names;
  for (const Optimizer& o : all_optimizers()) {
    EXPECT_TRUE(names.insert(o.name).second) << o.name;
    EXPECT_FALSE(o.title.empty()) << o.name;
    EXPECT_STRNE(o.summary, "") << o.name;
    EXPECT_EQ(find_optimizer(o.name), &o);
    EXPECT_EQ(all_optimizers()[static_cast<std::size_t>(optimizer_index(o))].name, o.name);
  }
  EXPECT_EQ(find_optimizer("tiger"), nullptr);
}

TEST(OptimizerRecords, FieldDefaultsAreWithinLimitsAndSharedFieldsAreEqual) {
  for (const Optimizer& o : all_optimizers())
    for (const OptimizerField& f : o.fields) {
      EXPECT_TRUE(f.otherwise >= f.lo && f.otherwise <= f.hi) << o.name << "." << f.name;
      EXPECT_TRUE(f.only.empty() || find_field(o, f.only)) << o.name << "." << f.name;
      EXPECT_STRNE(f.label, "") << o.name << "." << f.name;
      EXPECT_STRNE(f.help, "") << o.name << "." << f.name;
      for (const Optimizer& other : all_optimizers()) {
        const OptimizerField* same = find_field(other, f.name);
        if (!same) continue;
        EXPECT_TRUE(same->kind == f.kind && same->lo == f.lo && same->hi == f.hi && same->step == f.step &&
                    std::string(same->label) == f.label && std::string(same->help) == f.help &&
                    std::string(same->zero) == f.zero)
            << o.name << " and " << other.name << " differ in " << f.name;
      }
    }
  for (const Optimizer& o : all_optimizers())
    for (const OptimizerState& s : o.state) EXPECT_TRUE(s.only.empty() || find_field(o, s.only)) << s.name;
}

TEST(WeightNorms, AreComputedForEachWeightSeparately) {
  for (const Backend* backend : {&reference_backend(), &cpu_backend()}) {
    TinyPlan tiny(1);
    std::vector<int> weights, grads;
    for (int i = 0; i < 4; ++i) {
      weights.push_back(tiny.weight(fmt::format("w{}", i), {3 + i * 9001}));
      grads.push_back(tiny.weight_grad(fmt::format("w{}", i), {3 + i * 9001}));
    }
    tiny.plan.values[static_cast<std::size_t>(weights[2])].lr_scale = 0;
    const int norms = tiny.value("norms", {2, 4}, Role::saved, false, DType::f64);
    tiny.step("weight_norms", {}, {norms});
    std::vector<std::vector<double>> all;
    for (int threads = 1; threads <= 3; ++threads) {
      Bench b(tiny, *device_of(*backend), threads);
      std::vector<double> wanted(8);
      for (std::size_t i = 0; i < 4; ++i)
        for (const bool gradient : {false, true}) {
          const std::vector<float> x = noise(3 + static_cast<std::int64_t>(i) * 9001,
                                             static_cast<unsigned>(10 * i + gradient), gradient ? 0.01f : 1);
          b.write_bytes(gradient ? grads[i] : weights[i], x);
          double sum = 0;
          for (const float v : x) sum += static_cast<double>(v) * v;
          wanted[(gradient ? 4 : 0) + i] = i == 2 ? 0 : std::sqrt(sum);
        }
      ASSERT_TRUE(static_cast<bool>(b.executable().run(args_for(1))));
      all.push_back(b.read<double>(norms));
      for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(all.back()[i], wanted[i], 1e-6 * wanted[i]) << backend->name << i;
      EXPECT_EQ(all.back(), all.front()) << threads << " threads";
      EXPECT_TRUE(b.guards_intact());
    }
  }
}

}  // namespace
}  // namespace nw::test
