// SPDX-License-Identifier: Apache-2.0
// Dropout decides on single elements, on channels or on whole samples, with the probability that was asked for.
#include <gtest/gtest.h>

#include "tests/kernels/lenet_plan.hpp"

namespace nw::test {
namespace {

constexpr std::int64_t batch = 200, maps = 6, positions = 12;

/// How many of the groups of elements that are decided on together are kept; -1: some group is kept in part.
std::int64_t kept_groups(std::int64_t share, std::int64_t each) {
  TinyPlan tiny(batch);
  const int x = tiny.value("x", {batch, maps, 4, 3}), y = tiny.value("y", {batch, maps, 4, 3});
  tiny.step("dropout", {x}, {y}, {{"p", 0.25}, {"key", std::int64_t{9}}, {"share", share}});
  Bench b(tiny, *device_of(reference_backend()), 1);
  b.write("x", std::vector<float>(static_cast<std::size_t>(batch * maps * positions), 3.0f));
  EXPECT_TRUE(static_cast<bool>(b.executable().run(args_for(batch))));
  const std::vector<float> out = b.read("y");  // (n, pixel, channel)
  std::int64_t kept = 0;
  for (std::int64_t group = 0; group < batch * maps * positions / each; ++group) {
    std::int64_t in = 0;
    for (std::int64_t e = group * each; e < (group + 1) * each; ++e) {
      const std::int64_t n = e / (maps * positions), c = e / positions % maps, q = e % positions;
      const float v = out[static_cast<std::size_t>((n * positions + q) * maps + c)];
      EXPECT_TRUE(v == 0 || v == 4) << v;  // 3 / (1 - 0.25)
      in += v != 0;
    }
    if (in != 0 && in != each) return -1;
    kept += in == each;
  }
  return kept;
}

TEST(Dropout, LeavesOutElementsChannelsOrSamplesAsAWhole) {
  const std::int64_t each[] = {1, positions, maps * positions};
  for (std::int64_t share = 0; share < 3; ++share) {
    const std::int64_t groups = batch * maps * positions / each[share];
    const double expected = 0.75 * static_cast<double>(groups), spread = std::sqrt(expected * 0.25);
    EXPECT_NEAR(static_cast<double>(kept_groups(share, each[share])), expected, 4 * spread) << "share " << share;
  }
}

}  // namespace
}  // namespace nw::test
