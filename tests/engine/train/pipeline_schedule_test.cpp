// SPDX-License-Identifier: Apache-2.0
// The order of a pipeline's passes, its predicted bubble, and the balance of its stages.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/compile/balance.hpp"
#include "engine/train/pipeline_schedule.hpp"

namespace nw {
namespace {

constexpr PipelineSchedule both[] = {PipelineSchedule::gpipe, PipelineSchedule::one_forward_one_backward};

TEST(PipelineActions, EveryPartGoesForwardOnceAndThenBackwardOnceInOrder) {
  for (const PipelineSchedule schedule : both)
    for (int stages = 1; stages <= 4; ++stages)
      for (int stage = 0; stage < stages; ++stage)
        for (std::int64_t parts = 1; parts <= 6; ++parts) {
          std::int64_t forward = 0, backward = 0, most = 0;
          for (const PipelineAction& a : pipeline_actions(schedule, stages, stage, parts)) {
            std::int64_t& next = a.backward ? backward : forward;
            EXPECT_EQ(a.part, next++);
            EXPECT_LE(backward, forward) << "a backward pass before its forward pass";
            most = std::max(most, forward - backward);
          }
          EXPECT_EQ(forward, parts);
          EXPECT_EQ(backward, parts);
          EXPECT_EQ(most, parts_in_flight(schedule, stages, stage, parts));
        }
}

TEST(PipelineActions, OneForwardOneBackwardKeepsAsManyAsStagesFollow) {
  for (int stage = 0; stage < 4; ++stage) {
    EXPECT_EQ(parts_in_flight(PipelineSchedule::one_forward_one_backward, 4, stage, 16), 4 - stage);
    EXPECT_EQ(parts_in_flight(PipelineSchedule::gpipe, 4, stage, 16), 16);
  }
}

/// Huang et al. 2019: (P - 1) / (M + P - 1), for both schedules.
TEST(PredictedBubble, OfEqualStagesIsThatOfThePaper) {
  for (const PipelineSchedule schedule : both)
    for (std::size_t stages = 1; stages <= 5; ++stages)
      for (std::int64_t parts = 1; parts <= 9; ++parts) {
        const std::vector<StageCost> costs(stages, {1, 2});
        const double p = static_cast<double>(stages), m = static_cast<double>(parts);
        EXPECT_NEAR(predicted_bubble(schedule, costs, parts), (p - 1) / (m + p - 1), 1e-12) << stages << ' ' << parts;
      }
}

TEST(PredictedBubble, OfOneSlowStageIsWhatTheOthersWaitForIt) {
  const std::vector<StageCost> costs{{1, 1}, {3, 3}};
  // the slow stage waits for the first forward pass and the end for the last backward pass: 1 + 4 * 6 + 1
  EXPECT_NEAR(predicted_bubble(PipelineSchedule::gpipe, costs, 4), 1 - (8 + 24) / (2 * 26.0), 1e-12);
}

/// Two micro-batches through two stages, one after another: 1 + 3 of a message, forward and backward.
TEST(PredictedBubble, MessagesAreWaitedFor) {
  const std::vector<StageCost> costs{{1, 1}, {1, 1}};
  const std::vector<StageCost> slow(2, {3, 3}), fast(2, {0.5, 0.5});
  EXPECT_NEAR(predicted_bubble(PipelineSchedule::gpipe, costs, 1, slow), 1 - 4 / (2 * (1 + 3 + 2 + 3 + 1.0)), 1e-12);
  EXPECT_NEAR(predicted_bubble(PipelineSchedule::one_forward_one_backward, costs, 1, fast), 1 - 4 / (2 * 5.0), 1e-12);
}

/// Of two equal stages: each micro-batch's values arrive later, in both passes, and nothing else is done meanwhile.
TEST(PipelineTimeline, WaitsForWhatIsOnItsWay) {
  const std::vector<StageCost> costs(2, {1, 2}), arrival{{9, 5}, {7, 9}};
  const PipelineTimeline at_once = pipeline_timeline(PipelineSchedule::gpipe, costs, 3),
                         later = pipeline_timeline(PipelineSchedule::gpipe, costs, 3, arrival);
  EXPECT_NEAR(at_once.end, 1 + 3 * 3 + 2, 1e-12);
  EXPECT_NEAR(later.end, at_once.end + 7 + 5, 1e-12) << "the last stage's forward, the first one's backward";
  EXPECT_NEAR(later.busy, 2 * 3 * 3, 1e-12);
}

std::vector<LayerLoad> loads(std::initializer_list<double> costs) {
  std::vector<LayerLoad> all;
  for (const double c : costs) all.push_back({c, 10, 1});
  return all;
}

/// The best division by trying all of them.
double least_worst(std::span<const LayerLoad> layers, std::size_t stages) {
  double sum = 0, best = 1e300;
  for (const LayerLoad& l : layers) sum += l.cost;
  if (stages == 1) return sum;
  double last = 0;
  for (std::size_t begin = layers.size(); begin-- > stages - 1;) {
    last += layers[begin].cost;
    best = std::min(best, std::max(last, least_worst(layers.first(begin), stages - 1)));
  }
  return best;
}

TEST(BalancedStages, TheMostExpensiveStageCostsTheLeast) {
  for (const auto& layers : {loads({5, 1, 1, 1, 1, 1}), loads({1, 2, 3, 4, 5, 6, 7}), loads({9, 1, 9, 1, 9}),
                             loads({0.5, 0, 0, 7, 0, 3, 2, 2})})
    for (std::size_t stages = 1; stages <= 4; ++stages) {
      const auto first = balanced_stages(layers, stages, 1 << 20);
      ASSERT_EQ(first.size(), stages);
      EXPECT_EQ(first.front(), 0U);
      double worst = 0;
      for (std::size_t s = 0; s < stages; ++s) {
        double cost = 0;
        for (std::size_t i = first[s]; i < (s + 1 < stages ? first[s + 1] : layers.size()); ++i) cost += layers[i].cost;
        EXPECT_GT(cost, 0) << "a stage without work";
        worst = std::max(worst, cost);
      }
      EXPECT_DOUBLE_EQ(worst, least_worst(layers, stages));
    }
}

TEST(BalancedStages, OfEquallyGoodDivisionsTheOneThatSendsLeast) {
  auto layers = loads({2, 0, 0, 2});
  layers[0].crossing_bytes = 100;
  layers[1].crossing_bytes = 3;
  layers[2].crossing_bytes = 50;
  EXPECT_EQ(balanced_stages(layers, 2, 1 << 20), (std::vector<std::size_t>{0, 2}));
}

TEST(BalancedStages, FitIntoTheMemoryIfThatIsPossible) {
  auto layers = loads({1, 1, 1, 9});
  for (LayerLoad& l : layers) l.memory_bytes = 100;
  EXPECT_EQ(balanced_stages(layers, 2, 1000), (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(balanced_stages(layers, 2, 200), (std::vector<std::size_t>{0, 2})) << "two layers each have room";
  EXPECT_EQ(balanced_stages(layers, 2, 50), (std::vector<std::size_t>{0, 3})) << "no division has room";
  std::reverse(layers.begin(), layers.end());
  EXPECT_EQ(balanced_stages(layers, 2, 1000), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(balanced_stages(layers, 2, 200), (std::vector<std::size_t>{0, 2})) << "the last stage has room too";
}

TEST(BalancedStages, FewerLayersThanStagesAreNone) {
  EXPECT_TRUE(balanced_stages(loads({1, 1}), 3, 1000).empty());
  EXPECT_TRUE(balanced_stages(loads({0, 1, 0, 0}), 2, 1000).empty());
  EXPECT_TRUE(balanced_stages({}, 1, 1000).empty());
}

}  // namespace
}  // namespace nw
