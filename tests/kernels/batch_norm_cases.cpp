// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/batch_norm_cases.hpp"

#include <gtest/gtest.h>

#include <array>

namespace nw::test {
namespace {

constexpr std::int64_t images = 3, channels = 2, pixels = 2;
constexpr double momentum = 0.3, eps = 0.25;
// (N,H,W,C) = (4,1,2,2); the fourth image is not valid
const std::vector<float> x = {1, 4, -2, 0.5F, 3, -1, 7, 2, 0.25F, 6, -3, 1.5F, 100, 100, 100, 100};
const std::vector<float> dy = {0.5F, -1, 2, 1, 0.25F, 3, -0.5F, 4, 1, -2, 0.75F, -1.5F, 0, 0, 0, 0};
const std::vector<float> running_mean = {10, -4}, running_var = {2, 0.5F};

struct ByHand {
  double mean = 0, biased = 0, unbiased = 0, dw = 0, db = 0;
};
ByHand by_hand(std::int64_t channel) {
  const double count = images * pixels;
  ByHand h;
  const auto each = [&](auto&& what) {
    for (std::int64_t n = 0; n < images; ++n)
      for (std::int64_t p = 0; p < pixels; ++p) what(static_cast<std::size_t>((n * pixels + p) * channels + channel));
  };
  each([&](std::size_t i) { h.mean += x[i] / count; });
  each([&](std::size_t i) { h.biased += (x[i] - h.mean) * (x[i] - h.mean) / count; });
  h.unbiased = h.biased * count / (count - 1);
  each([&](std::size_t i) { h.dw += dy[i] * (x[i] - h.mean) / std::sqrt(h.biased + eps); });
  each([&](std::size_t i) { h.db += dy[i]; });
  return h;
}

struct Net {
  TinyPlan tiny{4};
  int x = tiny.value("x", {4, channels, 1, pixels}, Role::input),
      dy = tiny.value("dy", {4, channels, 1, pixels}, Role::input),
      mean = tiny.value("running_mean", {channels}, Role::buffer, false),
      var = tiny.value("running_var", {channels}, Role::buffer, false),
      tracked = tiny.value("num_batches_tracked", {1}, Role::buffer, false, DType::i64),
      stats = tiny.value("stats", {2, channels}, Role::saved, false, DType::f64),
      saved = tiny.value("mean_invstd", {2, channels}, Role::saved, false),
      dstats = tiny.value("dstats", {2, channels}, Role::saved, false, DType::f64), w = tiny.weight("w", {channels}),
      b = tiny.weight("b", {channels}), dw = tiny.weight_grad("w", {channels}), db = tiny.weight_grad("b", {channels});
  Net() {
    const StepAttrs attrs{{"momentum", momentum}, {"eps", eps}, {"spatial", pixels}};
    tiny.step("batch_norm_stats", {x}, {stats});
    tiny.step("batch_norm_finalize", {stats, mean, var, tracked}, {saved}, attrs);
    tiny.step("batch_norm_grad_stats", {dy, x, saved}, {dstats});
    tiny.step("batch_norm_grad_weight", {dstats}, {dw, db});
  }
};

}  // namespace

void expect_batch_norm_by_hand(const Device& device) {
  const Net net;
  Bench bench(net.tiny, device, 1);
  bench.write_bytes(net.x, x);
  bench.write_bytes(net.dy, dy);
  bench.write_bytes(net.mean, running_mean);
  bench.write_bytes(net.var, running_var);
  bench.write_bytes(net.tracked, std::vector<std::int64_t>{41});
  ASSERT_TRUE(static_cast<bool>(bench.executable().run(args_for(images))));
  const std::vector<float> saved = bench.read(net.saved), mean = bench.read(net.mean), var = bench.read(net.var),
                           dw = bench.read(net.dw), db = bench.read(net.db);
  for (std::int64_t c = 0; c < channels; ++c) {
    const ByHand h = by_hand(c);
    const auto i = static_cast<std::size_t>(c);
    EXPECT_NEAR(saved[i], h.mean, 1e-6) << "channel " << c;
    EXPECT_NEAR(saved[channels + i], 1 / std::sqrt(h.biased + eps), 1e-6) << "channel " << c;
    EXPECT_NEAR(mean[i], (1 - momentum) * running_mean[i] + momentum * h.mean, 1e-5) << "channel " << c;
    EXPECT_NEAR(var[i], (1 - momentum) * running_var[i] + momentum * h.unbiased, 1e-5) << "channel " << c;
    EXPECT_NEAR(dw[i], h.dw, 1e-5) << "channel " << c;
    EXPECT_NEAR(db[i], h.db, 1e-5) << "channel " << c;
  }
  EXPECT_EQ(bench.read<std::int64_t>(net.tracked), std::vector<std::int64_t>{42});
}

}  // namespace nw::test
