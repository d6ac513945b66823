// SPDX-License-Identifier: Apache-2.0
// Whole steps whose products are all computed by tile kernels, on the emulated unit and on the processor's own if it
// has one: the weights agree with the reference implementation with rounded operands, the bytes are the same on any
// number of threads, and nothing is allocated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/kernels/allocations.hpp"
#include "tests/kernels/lenet_plan.hpp"
#include "tests/kernels/memory_pixels.hpp"
#include "tests/support/instruction_set.hpp"

namespace nw::test {
namespace {

/// Runs on the tile kernels of one instruction set.
class TileStep : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!runs_here(GetParam())) GTEST_SKIP() << "this processor has no " << GetParam();
  }

 private:
  const UseInstructionSet set_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Units, TileStep, testing::Values("amx-emulated", "amx", "avx512bf16"),
                         [](const auto& info) { return info.param == "amx-emulated" ? "emulated" : info.param; });

bool is_product(const Step& s) { return s.kernel.starts_with("conv2d") || s.kernel.starts_with("linear"); }

/// Converts a plan to bf16: products round their operands themselves, or steps before them do.
TinyPlan in_bf16(const TinyPlan& plain, bool by_tiles) {
  TinyPlan tiny = plain;
  tiny.plan.compute = DType::bf16;
  tiny.plan.steps.clear();
  for (Step s : plain.plan.steps) {
    if (is_product(s) && by_tiles) s.attrs["rounds"] = std::int64_t{1};
    for (std::size_t i = 0; is_product(s) && !by_tiles && i < 2; ++i) {
      const Value& v = plain.plan.values[static_cast<std::size_t>(s.inputs[i])];
      const int copy = tiny.value(fmt::format("rounded {}", tiny.plan.values.size()), v.shape, Role::saved, v.batched);
      tiny.step("round_bf16", {s.inputs[i]}, {copy});
      s.inputs[i] = copy;
    }
    tiny.plan.steps.push_back(s);
  }
  return tiny;
}

StepArgs step_args(std::int64_t step, std::int64_t valid, double rate) {
  StepArgs a = args_for(valid);
  a.step = step;
  a.learning_rate = rate;
  a.seed = 42;
  return a;
}

struct Outcome {
  std::vector<double> losses;
  std::vector<float> weights, grads;
};
Outcome train(const TinyPlan& tiny, const Device& device, int threads, int steps, double rate, std::int64_t valid) {
  Bench b(tiny, device, threads);
  initialise(b);
  Outcome r;
  for (int i = 0; i < steps; ++i) {
    load_digits(b, i % 4 * tiny.plan.batch);
    const Status s = b.executable().run(step_args(i, valid, rate));
    EXPECT_TRUE(static_cast<bool>(s));
    r.losses.push_back(b.executable().metrics().loss_sum / static_cast<double>(valid));
  }
  EXPECT_TRUE(b.guards_intact());
  r.weights = weights_of(b);
  r.grads = weights_of(b, Role::weight_grad);
  return r;
}

struct Job {
  NetBuilder net;
  std::int64_t valid;
};
/// A pool directly after the first convolution; `gated`: its gradient is zero where its output is not positive.
NetBuilder pooled(std::int64_t batch, bool gated, std::int64_t outs = 6) {
  NetBuilder n(batch, {batch, 1, 28, 28});
  n.conv("conv1", outs, 5);
  n.max_pool();
  n.flatten();
  n.linear("fc1", 10);
  n.train("sgd", sgd_attrs());
  for (Step& s : n.tiny.plan.steps)
    if (gated && s.kernel == "max_pool2d_grad") {
      s.kernel = "max_pool2d_relu_grad";
      for (const Step& pool : n.tiny.plan.steps)
        if (pool.kernel == "max_pool2d") s.inputs.push_back(pool.outputs[0]);
    }
  return n;
}

std::vector<Job> jobs() {
  std::vector<Job> all{{lenet(40), 37},
                       {small_resnet(40), 40},
                       {pooled(40, false), 40},
                       {pooled(40, true), 37},
                       {pooled(40, true, 20), 37}};
  all[0].net.train("sgd", sgd_attrs());
  all[1].net.train("adam", adam_attrs(), 1.0);
  return all;
}

// A number that differs in its last bit may be rounded in the other direction for the next product.
TEST_P(TileStep, TrainingMatchesTheReferenceWithRoundedOperands) {
  for (const Job& job : jobs()) {
    const Outcome tiles = train(in_bf16(job.net.tiny, true), *device_of(cpu_backend()), 2, 3, 0.01, job.valid);
    const Outcome steps = train(in_bf16(job.net.tiny, false), *device_of(reference_backend()), 2, 3, 0.01, job.valid);
    const Outcome plain = train(job.net.tiny, *device_of(cpu_backend()), 2, 3, 0.01, job.valid);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(tiles.losses[i], steps.losses[i], 1e-4 * steps.losses[i]) << "step " << i;
    const double apart = relative_distance(tiles.grads, steps.grads),
                 rounding = relative_distance(plain.grads, steps.grads);
    EXPECT_LT(apart, 2e-3);
    EXPECT_LT(apart, rounding / 3);
  }
}

TEST_P(TileStep, TheWeightGradientComputesAPoolGradientWithoutOtherReaders) {
  for (const std::int64_t outs : {6, 20}) {
    if (GetParam() == "avx512bf16" && outs == 20) continue;  // the other form is faster
    Bench alone(in_bf16(pooled(40, true, outs).tiny, true), *device_of(cpu_backend()), 2);
    EXPECT_THAT(alone.executable().choices(), testing::Contains(testing::HasSubstr("with the pool's gradient")))
        << outs;
  }
  TinyPlan watched = in_bf16(pooled(40, true).tiny, true);
  const auto pool = std::find_if(watched.plan.steps.begin(), watched.plan.steps.end(),
                                 [](const Step& s) { return s.kernel == "max_pool2d_relu_grad"; });
  ASSERT_NE(pool, watched.plan.steps.end());
  const int dx = pool->outputs[0];
  watched.step("relu", {dx},
               {watched.value("watched", watched.plan.values[static_cast<std::size_t>(dx)].shape, Role::saved)}, {});
  Bench asked(watched, *device_of(cpu_backend()), 2);
  EXPECT_THAT(asked.executable().choices(),
              testing::Not(testing::Contains(testing::HasSubstr("with the pool's gradient"))));
}

TEST_P(TileStep, AHundredStepsMatchTheVectorKernelsWithRoundedOperands) {
  NetBuilder n = lenet(32);
  n.train("sgd", sgd_attrs());
  const Outcome steps = train(in_bf16(n.tiny, false), *device_of(cpu_backend()), 2, 100, 0.004, 32);
  const Outcome tiles = train(in_bf16(n.tiny, true), *device_of(cpu_backend()), 2, 100, 0.004, 32);
  for (std::size_t i = 0; i < 100; ++i)
    ASSERT_NEAR(tiles.losses[i], steps.losses[i], 0.03 * steps.losses[i] + 1e-3) << "step " << i;
  EXPECT_GT(tiles.losses.front(), 2.0);
  EXPECT_LT(tiles.losses.back(), 1.0);
}

TEST_P(TileStep, OneToFiveThreadsGiveTheSameBytes) {
  for (const Job& job : jobs()) {
    const TinyPlan tiny = in_bf16(job.net.tiny, true);
    const Outcome one = train(tiny, *device_of(cpu_backend()), 1, 2, 0.01, job.valid);
    for (int threads = 2; threads <= 5; ++threads) {
      const Outcome many = train(tiny, *device_of(cpu_backend()), threads, 2, 0.01, job.valid);
      EXPECT_EQ(one.losses, many.losses) << threads;
      EXPECT_EQ(one.weights, many.weights) << threads;
    }
  }
}

TEST_P(TileStep, PaddingSamplesOfAShortBatchChangeNothing) {
  NetBuilder wide = lenet(150), narrow = lenet(19);  // too wide to compute the first linear layer by shard
  wide.train("sgd", sgd_attrs());
  narrow.train("sgd", sgd_attrs());
  Bench a(in_bf16(wide.tiny, true), *device_of(cpu_backend()), 2),
      b(in_bf16(narrow.tiny, true), *device_of(cpu_backend()), 2);
  for (Bench* bench : {&a, &b}) {
    initialise(*bench);
    load_digits(*bench);
    ASSERT_TRUE(static_cast<bool>(bench->executable().run(step_args(0, 19, 0.1))));
  }
  EXPECT_EQ(a.executable().metrics().loss_sum, b.executable().metrics().loss_sum);
  EXPECT_EQ(weights_of(a), weights_of(b));
}

TEST_P(TileStep, AllocatesNothing) {
  for (const Job& job : jobs()) {
    Bench b(in_bf16(job.net.tiny, true), *device_of(cpu_backend()), 1);
    initialise(b);
    load_digits(b);
    const StepArgs args = step_args(0, job.valid, 0.1);
    const int before = allocations();
    ASSERT_GT(before, 0) << "allocations are not counted here";
    const Status s = b.executable().run(args);
    EXPECT_EQ(allocations() - before, 0);
    EXPECT_TRUE(static_cast<bool>(s));
  }
}

NetBuilder perceptron(std::int64_t batch, std::int64_t channels, std::int64_t side) {
  NetBuilder n(batch, {batch, channels, side, side});
  n.flatten();
  n.linear("fc1", 21);
  n.activation("relu");
  n.linear("fc2", 10);
  n.train("adam", adam_attrs());
  return n;
}

MemoryPixels some_pixels(const Bench& b, std::int64_t batch, std::int64_t channels) {
  MemoryPixels p;
  p.pixels.resize(b.read("images").size());
  p.per_image = std::ssize(p.pixels) / batch;
  for (std::size_t i = 0; i < p.pixels.size(); ++i) p.pixels[i] = static_cast<std::uint8_t>(i * i % 251 + i % 5);
  if (channels > 1) p.channels = {{0.49F, 0.2F}, {0.33F, 0.25F}, {0.0F, 1.0F}};
  return p;
}

/// Weights after two steps, with images as bytes in memory or written as numbers.
std::vector<float> weights_learned(const TinyPlan& tiny, std::int64_t channels, std::int64_t valid, bool in_memory) {
  Bench b(tiny, *device_of(cpu_backend()), 2);
  initialise(b);
  load_digits(b);
  const MemoryPixels pixels = some_pixels(b, tiny.plan.batch, channels);
  std::vector<float> numbers(pixels.pixels.size());
  EXPECT_TRUE(
      static_cast<bool>(pixels.images(0, valid, {numbers.data(), static_cast<std::size_t>(valid * pixels.per_image)})));
  b.write("images", numbers);
  for (int i = 0; i < 2; ++i) {
    StepArgs args = step_args(i, valid, 0.01);
    if (in_memory) args.inputs = &pixels;
    EXPECT_TRUE(static_cast<bool>(b.executable().run(args)));
  }
  return weights_of(b);
}

// Squares are summed while gradients are stored, tile by tile: every gradient must be counted once, and padding must
// not be counted.
TEST_P(TileStep, TheGradientNormCountsEveryGradientOnce) {
  for (NetBuilder net : {perceptron(48, 1, 28), perceptron(48, 3, 11), lenet(48)}) {
    if (net.tiny.plan.steps.back().kernel != "adam") net.train("sgd", sgd_attrs());
    const auto update = std::find_if(net.tiny.plan.steps.begin(), net.tiny.plan.steps.end(),
                                     [](const Step& s) { return s.kernel == "adam" || s.kernel == "sgd"; });
    Step norm;
    norm.kernel = norm.label = "grad_norm";
    net.tiny.plan.steps.insert(update, norm);
    Bench b(in_bf16(net.tiny, true), *device_of(cpu_backend()), 2);
    initialise(b);
    load_digits(b);
    ASSERT_TRUE(static_cast<bool>(b.executable().run(step_args(0, 48, 0.01))));
    double squares = 0;
    for (const float g : weights_of(b, Role::weight_grad)) squares += static_cast<double>(g) * static_cast<double>(g);
    EXPECT_NEAR(b.executable().metrics().grad_norm, std::sqrt(squares), 1e-6 * std::sqrt(squares));
  }
}

// Images of whole shards remain bytes if only tile kernels read them; the weights must be bitwise equal.
TEST_P(TileStep, ByteLookupGivesTheSameWeightsAsRounding) {
  std::vector<std::pair<NetBuilder, std::int64_t>> nets{
      {perceptron(48, 1, 28), 1}, {perceptron(48, 3, 11), 3}, {lenet(48), 1}, {small_resnet(48), 3}};
  for (std::size_t i = 2; i < 4; ++i) nets[i].first.train("sgd", sgd_attrs());
  for (const auto& [net, channels] : nets)
    for (const std::int64_t valid : {48, 32, 37}) {
      const TinyPlan tiny = in_bf16(net.tiny, true);
      EXPECT_EQ(weights_learned(tiny, channels, valid, true), weights_learned(tiny, channels, valid, false))
          << "valid " << valid;
    }
}

// The second of two devices may get none of the samples of the last batch. It has no addresses of samples then.
TEST_P(TileStep, ADeviceWithoutSamplesReadsNoBytesAndLearnsNothing) {
  Bench b(in_bf16(perceptron(48, 1, 28).tiny, true), *device_of(cpu_backend()), 2);
  initialise(b);
  load_digits(b);
  const std::vector<float> before = weights_of(b);
  const MemoryPixels pixels = some_pixels(b, 48, 1);
  StepArgs args = step_args(0, 0, 0.01);
  args.global_valid = 16;
  args.inputs = &pixels;
  ASSERT_TRUE(static_cast<bool>(b.executable().run(args)));
  EXPECT_EQ(b.executable().metrics().loss_sum, 0);
  for (const float g : weights_of(b, Role::weight_grad)) ASSERT_EQ(g, 0);
  EXPECT_EQ(weights_of(b), before);
}

}  // namespace
}  // namespace nw::test
