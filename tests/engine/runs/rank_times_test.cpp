// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/rank_times.hpp"

#include <gtest/gtest.h>

namespace nw {
namespace {

/// Ten steps of a rank that waits for the others for `wait_s` of 1 s.
RankUse use(int rank, double wait_s) {
  return {.rank = rank, .steps = 10, .seconds = 1, .communication_s = 0.1, .wait_s = wait_s};
}

TEST(RankTimes, NameTheRankThatTheOthersWaitForAndByHowMuch) {
  RankTimes t{.ranks = {use(0, 0.5), use(1, 0), use(2, 0.45), use(3, 0.4)}};  // own work: 0.4, 0.9, 0.45, 0.5
  name_slowest(t, 0.2);
  EXPECT_EQ(t.slowest, 1);
  EXPECT_NEAR(t.slower_by, 1, 1e-9);
  name_slowest(t, 1.1);
  EXPECT_EQ(t.slowest, -1) << "within the margin";
  EXPECT_EQ(t.slower_by, 0);
}

TEST(RankTimes, NameNobodyWhereThereIsNobodyToCompareWith) {
  RankTimes one{.ranks = {use(0, 0)}}, none, unknown{.ranks = {use(0, 0.5), use(1, 0)}};
  unknown.ranks[0].wait_s.reset();
  for (RankTimes* t : {&one, &none, &unknown}) {
    t->slowest = 3;
    name_slowest(*t, 0.2);
    EXPECT_EQ(t->slowest, -1);
  }
  RankTimes idle{.ranks = {{.rank = 0}, use(1, 0)}};
  name_slowest(idle, 0.2);
  EXPECT_EQ(idle.slowest, -1);
}

TEST(RankTimes, OfTwoComparesOneWithTheOther) {
  RankTimes t{.ranks = {use(0, 0.3), use(1, 0)}};  // 0.6, 0.9
  name_slowest(t, 0.2);
  EXPECT_EQ(t.slowest, 1);
  EXPECT_NEAR(t.slower_by, 0.5, 1e-9);
}

TEST(RankTimes, TheEfficiencyIsTheShareOfTimeInOwnWork) {
  RankTimes t{.ranks = {use(0, 0.3), use(1, 0)}};
  ASSERT_TRUE(scaling_efficiency(t));
  EXPECT_NEAR(*scaling_efficiency(t), 0.75, 1e-9);
  EXPECT_NEAR(step_seconds(t.ranks[0]), 0.1, 1e-9);
  EXPECT_NEAR(*own_step_seconds(t.ranks[0]), 0.06, 1e-9);
  t.ranks[1].communication_s.reset();
  EXPECT_FALSE(scaling_efficiency(t));
  EXPECT_FALSE(scaling_efficiency(RankTimes{}));
}

}  // namespace
}  // namespace nw
