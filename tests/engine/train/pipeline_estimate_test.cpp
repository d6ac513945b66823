// SPDX-License-Identifier: Apache-2.0
// What stages of a pipeline are estimated to take and to need, and where the compiler puts layers.
#include <gtest/gtest.h>

#include "engine/train/pipeline_estimate.hpp"
#include "tests/support/net_text.hpp"

namespace nw {
namespace {

/// A chain whose outputs have 10 numbers; forward and backward cost as given.
std::vector<PlacedLayer> chain(std::initializer_list<std::pair<double, int>> costs) {
  std::vector<PlacedLayer> all;
  for (const auto& [cost, stage] : costs) {
    PlacedLayer l{.name = "l" + std::to_string(all.size()), .node = std::ssize(all) + 1, .stage = stage};
    l.forward_cost = cost;
    l.backward_cost = 2 * cost;
    l.parameters = 100;
    l.output = Shape{1, 10};
    if (!all.empty()) l.inputs = {all.size() - 1};
    all.push_back(l);
  }
  return all;
}

TEST(PipelineTimeline, APassBeginsWhenItsValueIsThereAndItsStageIsFree) {
  const std::vector<StageCost> costs{{1, 2}, {1, 2}};
  const PipelineTimeline line = pipeline_timeline(PipelineSchedule::one_forward_one_backward, costs, 2);
  ASSERT_EQ(line.stages.size(), 2u);
  ASSERT_EQ(line.stages[1].size(), 4u);
  // the second stage: forward 0 at 1, backward 0 at 2, forward 1 at 4, backward 1 at 5
  EXPECT_EQ(line.stages[1][0].begin, 1);
  EXPECT_EQ(line.stages[1][1].begin, 2);
  EXPECT_EQ(line.stages[1][2].begin, 4);
  EXPECT_EQ(line.stages[1][3].end, 7);
  // the first: its last backward pass waits for that of the second
  EXPECT_EQ(line.stages[0].back().begin, 7);
  EXPECT_EQ(line.end, 9);
  EXPECT_EQ(line.busy, 12);
}

TEST(PipelineEstimate, AddsUpCostsOfAMicroBatchAndItsBubble) {
  const auto layers = chain({{1, 0}, {2, 0}, {3, 1}});
  const PipelineEstimate e = estimate_pipeline(layers, {.stages = 2, .batch = 8, .micro_batches = 4});
  EXPECT_EQ(e.stages[0].cost.forward, 6);  // 3 of each of 2 samples
  EXPECT_EQ(e.stages[1].cost.backward, 12);
  EXPECT_EQ(e.one_device, 4 * (18 + 18));
  EXPECT_NEAR(e.bubble,
              predicted_bubble(PipelineSchedule::one_forward_one_backward, std::vector<StageCost>{{6, 12}, {6, 12}}, 4),
              1e-12);
  EXPECT_NEAR(e.stages[0].idle + e.stages[1].idle, 2 * e.bubble, 1e-12);
}

TEST(PipelineEstimate, KeepsTheActivationsOfTheMicroBatchesInFlight) {
  const auto layers = chain({{1, 0}, {1, 1}});
  const PipelineQuestion q{.stages = 2, .batch = 9, .micro_batches = 4, .states = 1};
  const PipelineEstimate early = estimate_pipeline(layers, q);
  EXPECT_EQ(early.stages[0].memory.activations, 2 * 3 * 40);  // two micro-batches of three samples of ten numbers
  EXPECT_EQ(early.stages[1].memory.activations, 1 * 3 * 40);
  EXPECT_EQ(early.stages[0].memory.weights, 100 * 4 * 2);
  EXPECT_EQ(early.stages[0].memory.gradients, 100 * 4);
  PipelineQuestion all = q;
  all.schedule = PipelineSchedule::gpipe;
  EXPECT_EQ(estimate_pipeline(layers, all).stages[1].memory.activations, 4 * 3 * 40);
}

TEST(PipelineEstimate, SendsAValueOnceToEachStageThatReadsIt) {
  auto layers = chain({{1, 0}, {1, 1}, {1, 1}, {1, 2}});
  layers[2].inputs = {0, 1};
  layers[3].inputs = {0, 2};
  const PipelineEstimate e = estimate_pipeline(layers, {.stages = 3, .batch = 6, .micro_batches = 2});
  ASSERT_EQ(e.crossings.size(), 3u);  // 0 to stage 1, 0 to stage 2, 2 to stage 2
  EXPECT_EQ(e.crossings[0].bytes, 3 * 40);
  EXPECT_EQ(e.moved_bytes, 3 * 2 * 6 * 40);
}

TEST(PipelineEstimate, NamesTheSlowestStage) {
  EXPECT_EQ(slowest_stage(estimate_pipeline(chain({{1, 0}, {3, 1}, {1, 2}}), {.stages = 3, .batch = 4})), 1u);
}

TEST(PlacedLayers, AreOnTheStagesOfTheDocumentAndBlocksBelongToTheirInstance) {
  GraphDoc doc = test::net(
      "images: Input 1x28x28; conv1: Conv2d out_channels=6 kernel_size=3x3 <- images; "
      "flat: Flatten <- conv1; fc: Linear <- flat; loss: CrossEntropy <- fc");
  const NodeId flat = test::id_of(doc, "flat");
  Node node = doc.graph().nodes.at(flat);
  node.pipeline_stage = 1;
  test::edit(doc, {PutNode{"", flat, node}});
  const auto placed = place_layers(doc, {.batch = 16, .data = DataFacts{}}, 2, 0);
  ASSERT_TRUE(placed) << placed.error().what.str();
  ASSERT_EQ(placed->size(), 5u);
  EXPECT_EQ((*placed)[1].stage, 0);
  EXPECT_EQ((*placed)[2].node, flat);
  EXPECT_EQ((*placed)[2].stage, 1);
  EXPECT_EQ((*placed)[4].stage, 1);
  EXPECT_EQ((*placed)[2].inputs, std::vector<std::size_t>{1});
  EXPECT_GT((*placed)[1].forward_cost, 0);
  EXPECT_EQ((*placed)[1].parameters, 6 * 9 + 6);
}

TEST(StageDevices, AreOfOneKind) {
  EXPECT_TRUE(check_stage_devices({"cpu:0", "cpu:1"}));
  EXPECT_TRUE(check_stage_devices({"cuda:0", "cuda:1"}));
  EXPECT_FALSE(check_stage_devices({"cuda:0", "cpu:1"}));
  EXPECT_FALSE(check_stage_devices({"cpu:0", "cuda:1"}));
  EXPECT_TRUE(check_division(4, 4));
  EXPECT_FALSE(check_division(3, 4));
}

}  // namespace
}  // namespace nw
