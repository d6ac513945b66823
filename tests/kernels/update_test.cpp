// SPDX-License-Identifier: Apache-2.0
// Optimizers and clipping on both backends against PyTorch, to about one unit in the last place (the numbers come from
// tests/reference/make/optimizers.py), and the flat regions' rules.
#include <gtest/gtest.h>

#include "kernels/catalogue.hpp"
#include "tests/support/tiny_plan.hpp"

namespace nw::test {
namespace {

const std::vector<float> start{0.5f, -0.25f, 0.125f, 1.0f, -2.0f};

// The script's gradient().
std::vector<float> gradient(int step) {
  std::vector<float> g;
  for (int i = 0; i < 5; ++i)
    g.push_back(static_cast<float>(i + 1) * 0.1f * (i % 2 ? -1.0f : 1.0f) + 0.05f * static_cast<float>(step));
  return g;
}

struct Update {
  std::string name, kernel;
  StepAttrs attrs;
  double rate;
  double max_norm;
  std::vector<float> wanted;
};
const Update updates[] = {
    {"sgd", "sgd", {{"momentum", 0.0}}, 0.1, 0, {0.454999983f, -0.204999998f, 0.019999994f, 1.1049999f, -2.16499996f}},
    {"momentum",
     "sgd",
     {{"momentum", 0.9}},
     0.1,
     0,
     {0.424400032f, -0.15730001f, -0.0627999976f, 1.20489991f, -2.29999995f}},
    {"nesterov_l2",
     "sgd",
     {{"momentum", 0.9}, {"nesterov", std::int64_t{1}}, {"l2", 0.01}},
     0.1,
     0,
     {0.383099496f, -0.119821191f, -0.149589315f, 1.28083694f, -2.41821671f}},
    {"adam", "adam", {}, 0.01, 0, {0.470219463f, -0.220748782f, 0.0949582756f, 1.02977717f, -2.03004909f}},
    {"adam_l2",
     "adam",
     {{"beta1", 0.8}, {"beta2", 0.99}, {"eps", 1e-6}, {"l2", 0.1}},
     0.01,
     0,
     {0.469805837f, -0.22089316f, 0.0948204994f, 1.02943671f, -2.03018284f}},
    {"adamw",
     "adam",
     {{"weight_decay", 0.1}},
     0.01,
     0,
     {0.468750864f, -0.220029354f, 0.0946136564f, 1.02675033f, -2.0240252f}},
    {"momentum_clipped",
     "sgd",
     {{"momentum", 0.9}},
     0.1,
     0.25,
     {0.475453675f, -0.219395578f, 0.063686505f, 1.06737161f, -2.09808064f}},
};

// One weight of five numbers, its gradient written by hand.
struct OneWeight {
  TinyPlan tiny{1};
  int w, g;
  explicit OneWeight(const Shape& shape = {5}) : w(tiny.weight("w", shape)), g(tiny.weight_grad("w", shape)) {}
  Value& value() { return tiny.plan.values[static_cast<std::size_t>(w)]; }
};

class Updates : public testing::TestWithParam<std::tuple<const Backend*, Update>> {};

TEST_P(Updates, FollowPyTorch) {
  const auto& [backend, update] = GetParam();
  OneWeight one;
  if (update.max_norm > 0) one.tiny.step("clip_grad_norm", {}, {}, {{"max_norm", update.max_norm}});
  one.tiny.step(update.kernel, {}, {}, update.attrs);
  Bench b(one.tiny, *device_of(*backend), 2);
  b.write_bytes(one.w, start);
  for (int step = 0; step < 3; ++step) {
    b.write_bytes(one.g, gradient(step));
    StepArgs a = args_for(1);
    a.step = step;
    a.learning_rate = update.rate;
    ASSERT_TRUE(static_cast<bool>(b.executable().run(a)));
  }
  const std::vector<float> got = b.read(one.w);
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], update.wanted[i], 3e-7 * std::max(1.0f, std::abs(update.wanted[i]))) << "weight " << i;
}

INSTANTIATE_TEST_SUITE_P(
    Both, Updates, testing::Combine(testing::Values(&reference_backend(), &cpu_backend()), testing::ValuesIn(updates)),
    [](const auto& info) { return fmt::format("{}_{}", std::get<0>(info.param)->name, std::get<1>(info.param).name); });

class FlatRegions : public testing::TestWithParam<const Backend*> {
 protected:
  const Device& device() {
    device_ = device_of(*GetParam());
    return *device_;
  }

 private:
  std::shared_ptr<Device> device_;
};

TEST_P(FlatRegions, AFrozenWeightStaysAndDoesNotCountInTheNorm) {
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

TEST_P(FlatRegions, OptimizerStateIsReadAndWrittenByItsWeightsName) {
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

INSTANTIATE_TEST_SUITE_P(Both, FlatRegions, testing::Values(&reference_backend(), &cpu_backend()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace nw::test
