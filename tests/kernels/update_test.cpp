// SPDX-License-Identifier: Apache-2.0
// The flat regions' rules on both backends: frozen weights, penalties, clipping, states. optimizers_test.cpp compares
// what optimizers compute.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kernels/catalogue.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/tiny_plan.hpp"

namespace nw::test {
namespace {

const std::vector<float> start{0.5f, -0.25f, 0.125f, 1.0f, -2.0f};

std::vector<float> gradient(int step) {
  std::vector<float> g;
  for (int i = 0; i < 5; ++i)
    g.push_back(static_cast<float>(i + 1) * 0.1f * (i % 2 ? -1.0f : 1.0f) + 0.05f * static_cast<float>(step));
  return g;
}

// One weight of five numbers, its gradient written by hand.
struct OneWeight {
  TinyPlan tiny{1};
  int w, g;
  explicit OneWeight(const Shape& shape = {5}) : w(tiny.weight("w", shape)), g(tiny.weight_grad("w", shape)) {}
  Value& value() { return tiny.plan.values[static_cast<std::size_t>(w)]; }
};

class FlatRegions : public testing::TestWithParam<const Backend*> {
 protected:
  const Device& device() {
    device_ = device_of(*GetParam());
    return *device_;
  }

 private:
  std::shared_ptr<Device> device_;
};

TEST_P(FlatRegions, AFrozenWeightIsNotUpdatedOrCountedInTheNorm) {
  OneWeight one;
  one.value().lr_scale = 0;
  const int w = one.tiny.weight("moving", {3}), g = one.tiny.weight_grad("moving", {3});
  one.tiny.step("grad_norm", {}, {});
  one.tiny.step("sgd", {}, {}, {{"momentum", 0.9}});
  Bench b(one.tiny, device(), 2);
  b.write_bytes(one.w, start);
  b.write_bytes(one.g, gradient(0));
  b.write_bytes(g, std::vector<float>{3, 0, 4});
  StepArgs a = args_for(1);
  a.learning_rate = 1;
  ASSERT_TRUE(static_cast<bool>(b.executable().run(a)));
  EXPECT_EQ(b.read(one.w), start);
  EXPECT_EQ(b.read(w), (std::vector<float>{-3, 0, -4}));
  EXPECT_DOUBLE_EQ(b.executable().metrics().grad_norm, 5.0);
}

TEST_P(FlatRegions, OnlyDecayingWeightsArePenalised) {
  OneWeight one({2});
  const int bias = one.tiny.weight("bias", {2});
  one.tiny.plan.values[static_cast<std::size_t>(bias)].decay = false;
  one.tiny.weight_grad("bias", {2});
  one.tiny.step("sgd", {}, {}, {{"l1", 0.5}, {"l2", 0.25}});
  Bench b(one.tiny, device(), 1);
  b.write_bytes(one.w, std::vector<float>{2, -4});
  b.write_bytes(bias, std::vector<float>{8, 8});
  StepArgs a = args_for(1);
  a.learning_rate = 1;
  ASSERT_TRUE(static_cast<bool>(b.executable().run(a)));
  EXPECT_DOUBLE_EQ(b.executable().metrics().penalty, 0.5 * 6 + 0.125 * 20);
  EXPECT_EQ(b.read(one.w), (std::vector<float>{2 - 0.5f - 0.5f, -4 + 1.0f + 0.5f}));
  EXPECT_EQ(b.read(bias), (std::vector<float>{8, 8}));
}

TEST_P(FlatRegions, ValuesAreClippedOnBothSides) {
  OneWeight one;
  one.tiny.step("clip_grad_value", {}, {}, {{"limit", 0.25}});
  Bench b(one.tiny, device(), 1);
  b.write_bytes(one.g, std::vector<float>{-9, -0.25f, 0.1f, 0.25f, 9});
  ASSERT_TRUE(static_cast<bool>(b.executable().run(args_for(1))));
  EXPECT_EQ(b.read(one.g), (std::vector<float>{-0.25f, -0.25f, 0.1f, 0.25f, 0.25f}));
}

TEST_P(FlatRegions, ManyWeightsOfOddSizesAreUpdatedTheSameOnAllThreadCounts) {
  std::vector<std::vector<float>> results;
  for (int threads = 1; threads <= 4; ++threads) {
    TinyPlan tiny(1);
    std::vector<int> weights, grads;
    for (int i = 0; i < 6; ++i) {
      const Shape shape{1 + i * 3517};
      weights.push_back(tiny.weight(fmt::format("w{}", i), shape));
      grads.push_back(tiny.weight_grad(fmt::format("w{}", i), shape));
      tiny.plan.values[static_cast<std::size_t>(weights.back())].decay = i % 2 == 0;
    }
    tiny.step("grad_norm", {}, {});
    tiny.step("clip_grad_norm", {}, {}, {{"max_norm", 1.0}});
    tiny.step("adam", {}, {}, {{"l2", 0.01}, {"l1", 0.001}});
    Bench b(tiny, device(), threads);
    std::vector<float> all;
    double squares = 0;
    for (int i = 0; i < 6; ++i) {
      const std::vector<float> g = noise(1 + i * 3517, static_cast<unsigned>(i) + 9);
      for (const float f : g) squares += static_cast<double>(f) * f;
      b.write_bytes(weights[static_cast<std::size_t>(i)], noise(1 + i * 3517, static_cast<unsigned>(i)));
      b.write_bytes(grads[static_cast<std::size_t>(i)], g);
    }
    StepArgs a = args_for(1);
    a.learning_rate = 0.01;
    ASSERT_TRUE(static_cast<bool>(b.executable().run(a)));
    EXPECT_NEAR(b.executable().metrics().grad_norm, std::sqrt(squares), 1e-9 * std::sqrt(squares));
    for (const int w : weights) {
      const std::vector<float> v = b.read(w);
      all.insert(all.end(), v.begin(), v.end());
    }
    all.push_back(static_cast<float>(b.executable().metrics().penalty));
    results.push_back(all);
    EXPECT_EQ(results.front(), results.back());
  }
}

// PyTorch's clip_grad_value_, then clip_grad_norm_, in double precision. The first weight is frozen.
TEST_P(FlatRegions, TheNormIsThatOfTheClippedValues) {
  const double limit = 0.25, max_norm = 0.75;
  for (int threads = 1; threads <= 4; ++threads) {
    TinyPlan tiny(1);
    std::vector<std::vector<float>> given;
    std::vector<int> grads;
    for (int i = 0; i < 4; ++i) {
      const std::int64_t count = 3 + i * 4099;
      const int w = tiny.weight(fmt::format("w{}", i), {count});
      grads.push_back(tiny.weight_grad(fmt::format("w{}", i), {count}));
      tiny.plan.values[static_cast<std::size_t>(w)].lr_scale = i == 0 ? 0 : 1;
      given.push_back(noise(count, static_cast<unsigned>(i) + 3));
    }
    tiny.step("grad_norm", {}, {});
    tiny.step("clip_grad_value", {}, {}, {{"limit", limit}});
    tiny.step("clip_grad_norm", {}, {}, {{"max_norm", max_norm}});
    Bench b(tiny, device(), threads);
    double squares = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
      b.write_bytes(grads[i], given[i]);
      for (const float g : given[i])
        squares += i == 0 ? 0 : std::pow(std::clamp(static_cast<double>(g), -limit, limit), 2);
    }
    ASSERT_TRUE(static_cast<bool>(b.executable().run(args_for(1))));
    const double norm = std::sqrt(squares), by = max_norm / (norm + 1e-6);
    ASSERT_LT(by, 1);
    EXPECT_NEAR(b.executable().metrics().grad_norm, norm, 1e-6 * norm);
    for (std::size_t i = 1; i < given.size(); ++i) {
      const std::vector<float> clipped = b.read(grads[i]);
      for (std::size_t k = 0; k < clipped.size(); ++k)
        ASSERT_NEAR(clipped[k], by * std::clamp(static_cast<double>(given[i][k]), -limit, limit), 1e-6)
            << "weight " << i << ", element " << k << ", " << threads << " threads";
    }
    EXPECT_EQ(b.read(grads[0]), given[0]) << "a frozen weight's gradient is neither counted nor clipped";
  }
}

TEST_P(FlatRegions, OptimizerStateIsAccessedByTheNameOfItsWeight) {
  OneWeight one;
  const int momentum = one.tiny.value("momentum w", {5}, Role::optimizer, false);
  one.tiny.step("sgd", {}, {}, {{"momentum", 0.5}});
  Bench b(one.tiny, device(), 1);
  b.write_bytes(momentum, std::vector<float>{2, 2, 2, 2, 2});
  b.write_bytes(one.g, std::vector<float>{1, 1, 1, 1, 1});
  StepArgs a = args_for(1);
  a.learning_rate = 1;
  ASSERT_TRUE(static_cast<bool>(b.executable().run(a)));
  EXPECT_EQ(b.read(momentum), (std::vector<float>{2, 2, 2, 2, 2}));
  EXPECT_EQ(b.read(one.w), (std::vector<float>{-2, -2, -2, -2, -2}));
}

/// torch.optim.swa_utils.AveragedModel with get_ema_multi_avg_fn. The second weight is frozen, the sizes are odd.
TEST_P(FlatRegions, AveragesFollowTheWeightsAsInPyTorch) {
  std::ifstream in(tests_folder() + "/reference/schedules.json");
  const auto reference = nlohmann::json::parse(in)["averages"];
  for (int threads = 1; threads <= 3; ++threads) {
    TinyPlan tiny(1);
    const int w = tiny.weight("w", {2}), frozen = tiny.weight("frozen", {9001});
    tiny.plan.values[static_cast<std::size_t>(frozen)].lr_scale = 0;
    tiny.weight_grad("w", {2});
    tiny.weight_grad("frozen", {9001});
    const int average = tiny.value("average w", {2}, Role::optimizer, false),
              still = tiny.value("average frozen", {9001}, Role::optimizer, false);
    tiny.step("grad_norm", {}, {});
    tiny.step("average_weights", {}, {}, {{"decay", reference["decay"].get<double>()}});
    Bench b(tiny, device(), threads);
    const std::vector<float> kept = noise(9001, 5);
    b.write_bytes(frozen, kept);
    for (int step = 0; step < 5; ++step) {
      b.write_bytes(w, std::vector<float>{static_cast<float>(step * step) - 2, 1 / static_cast<float>(step + 1)});
      StepArgs a = args_for(1);
      a.step = step;
      ASSERT_TRUE(static_cast<bool>(b.executable().run(a)));
      const std::vector<float> got = b.read(average);
      for (std::size_t i = 0; i < 2; ++i)
        EXPECT_NEAR(got[i], reference["values"][static_cast<std::size_t>(step)][i].get<float>(), 2e-7) << step;
      EXPECT_EQ(b.read(still), kept);
    }
  }
}

TEST_P(FlatRegions, AStepThatIsNotFiniteLeavesTheAverage) {
  OneWeight one;
  const int average = one.tiny.value("average w", {5}, Role::optimizer, false);
  one.tiny.step("grad_norm", {}, {});
  one.tiny.step("average_weights", {}, {}, {{"decay", 0.5}});
  Bench b(one.tiny, device(), 1);
  b.write_bytes(average, start);
  b.write_bytes(one.g, std::vector<float>{1, INFINITY, 1, 1, 1});
  ASSERT_TRUE(static_cast<bool>(b.executable().run(args_for(1))));
  EXPECT_EQ(b.read(average), start);
}

INSTANTIATE_TEST_SUITE_P(Both, FlatRegions, testing::Values(&reference_backend(), &cpu_backend()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace nw::test
