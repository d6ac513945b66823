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

TEST(StepSpans, WhatIsHiddenIsTheTimeOnTheWayInWhichTheDeviceComputed) {
  std::vector<StepSpan> spans = {{StepPart::forward, 0, 0, 1},
                                 {StepPart::backward, 0, 1, 4},
                                 {StepPart::wait, 0, 4, 5},
                                 {StepPart::update, 0, 5, 6}};
  EXPECT_FALSE(hidden_share(spans)) << "nothing is exchanged";
  spans.push_back({StepPart::bucket, 2, 4, 5});
  EXPECT_EQ(hidden_share(spans), 0) << "after the backward pass";
  spans.push_back({StepPart::bucket, 1, 1, 2});
  EXPECT_DOUBLE_EQ(*hidden_share(spans), 0.5);
  spans.push_back({StepPart::bucket, 3, 1.5, 3});  // 1 to 3 and 4 to 5
  EXPECT_DOUBLE_EQ(*hidden_share(spans), 2.0 / 3);
  spans.push_back({StepPart::exchange, 0, 1, 1.5});
  spans.push_back({StepPart::exchange, 0, 2.5, 3.5});  // half of it while nothing was on its way
  EXPECT_DOUBLE_EQ(*hidden_share(spans), 1.0 / 3) << "what the device itself moves is not hidden";
  EXPECT_DOUBLE_EQ(
      *hidden_share(RankTimes{.ranks = {{.spans = spans}, {}, {.spans = {spans.begin(), spans.begin() + 5}}}}), 1.0 / 6)
      << "the mean of those that tell";
  EXPECT_FALSE(hidden_share(RankTimes{.ranks = {{}, {}}}));
}

TEST(StepSpans, OfManyDevicesAreRecordedForTheFirst) {
  RankTimes t;
  const std::vector<StepSpan> many(most_spans + 10, StepSpan{StepPart::bucket, 1, 0, 1});
  for (int r = 0; r < 40; ++r) t.ranks.push_back({.rank = r, .spans = many});
  const Json j = to_json(t);
  ASSERT_EQ(j["ranks"].size(), 40U);
  EXPECT_EQ(j["ranks"][0]["spans"].size(), most_spans);
  EXPECT_TRUE(j["ranks"][most_ranks_with_spans - 1].contains("spans"));
  EXPECT_FALSE(j["ranks"][most_ranks_with_spans].contains("spans"));
  JsonReader r(j, "event");
  EXPECT_EQ(rank_times_from(r).ranks[0].spans.size(), most_spans);
  EXPECT_TRUE(r.status());
}

}  // namespace
}  // namespace nw
