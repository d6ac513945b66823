// SPDX-License-Identifier: Apache-2.0
#include "engine/train/stragglers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nw {
namespace {

/// An interval of 1 s in which `slowest` was 50 % slower; -1: nobody.
RankTimes second_with(int slowest) {
  RankTimes t{.slowest = slowest, .slower_by = slowest < 0 ? 0 : 0.5};
  for (int r = 0; r < 3; ++r)
    t.ranks.push_back({.rank = r, .host = "node" + std::to_string(r), .device = "cpu", .seconds = 1});
  return t;
}

TEST(Stragglers, NameADeviceThatIsSlowerForSeveralSecondsOnce) {
  Stragglers s;
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(s.judge(second_with(1))) << i;
  const auto named = s.judge(second_with(1));
  ASSERT_TRUE(named);
  EXPECT_EQ(named->str(),
            "rank 1 (cpu on node1) is slower than the others, which wait for it: for 5 s its own work took 50 % longer "
            "than theirs");
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(s.judge(second_with(1))) << "again";
}

TEST(Stragglers, BeginAnewWithAnotherDeviceOrNone) {
  Stragglers s;
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(s.judge(second_with(i % 4 == 3 ? -1 : 2)));
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(s.judge(second_with(i % 2)));
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(s.judge(second_with(2)));
  EXPECT_TRUE(s.judge(second_with(2)));
  EXPECT_FALSE(s.judge(second_with(-1)));
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(s.judge(second_with(2)));
  EXPECT_TRUE(s.judge(second_with(2))) << "it recovered, and is slow again";
}

}  // namespace
}  // namespace nw
