// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes: what moving layers makes of them, their layout and colours.
#include "tests/ui/design/bench.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/design/lanes/lane_board.hpp"
#include "ui/design/lanes/lane_header.hpp"
#include "ui/design/lanes/lane_view.hpp"
#include "ui/design/lanes/placement_panel.hpp"
#include "ui/design/lanes/step_timeline.hpp"
#include "ui/theme/tokens.hpp"

namespace nw::ui {
namespace {

/// A chain of layers 1, 2, 3, … with these costs and stages.
std::vector<PlacedLayer> chainOf(std::initializer_list<std::pair<double, int>> costs) {
  std::vector<PlacedLayer> all;
  for (const auto& [cost, stage] : costs) {
    PlacedLayer l{.name = "l" + std::to_string(all.size() + 1), .node = std::ssize(all) + 1, .stage = stage};
    l.forward_cost = cost;
    l.output = Shape{1, 10};
    if (!all.empty()) l.inputs = {all.size() - 1};
    all.push_back(l);
  }
  return all;
}

TEST(LaneMoves, LayersBehindComeAlongToTheRightAndThoseBeforeToTheLeft) {
  const auto layers = chainOf({{1, 0}, {1, 0}, {1, 0}, {1, 1}});
  const Lanes lanes = lanesOf(layers);
  EXPECT_EQ(movedLanes(layers, lanes, {2}, 1), (Lanes{{1, 0}, {2, 1}, {3, 1}, {4, 1}}));
  EXPECT_EQ(movedLanes(layers, lanes, {4}, 0), (Lanes{{1, 0}, {2, 0}, {3, 0}, {4, 0}}));
  EXPECT_EQ(movedLanes(layers, {{1, 0}, {2, 1}, {3, 1}, {4, 1}}, {3}, 0), (Lanes{{1, 0}, {2, 0}, {3, 0}, {4, 1}}));
}

TEST(LaneMoves, ALayerBetweenTwoMovedOnesIsMovedToo) {
  const auto layers = chainOf({{1, 0}, {1, 0}, {1, 0}, {1, 2}});
  EXPECT_EQ(movedLanes(layers, lanesOf(layers), {1, 3}, 1), (Lanes{{1, 1}, {2, 1}, {3, 1}, {4, 2}}));
}

TEST(LaneMoves, ABlockStaysWholeAndIsOnTheStageOfItsLastLayer) {
  auto layers = chainOf({{1, 0}, {4, 0}, {4, 1}, {1, 1}});
  layers[2].node = layers[1].node;
  EXPECT_EQ(lanesOf(layers).at(2), 1);
  EXPECT_EQ(cardsOf(layers), (std::vector<NodeId>{1, 2, 4}));
  const Lanes even = balancedLanes(layers, 2);
  EXPECT_EQ(even.size(), 3u);
  for (const PlacedLayer& l : placedOn(layers, even)) EXPECT_EQ(l.stage, even.at(l.node));
  EXPECT_TRUE(balancedLanes(layers, 4).empty());
}

TEST(LaneMoves, TheBestMoveTakesFromTheSlowestLaneAndEmptiesNone) {
  const auto layers = chainOf({{1, 0}, {3, 1}, {3, 1}, {1, 2}});
  const PipelineQuestion q{.stages = 3, .batch = 4, .micro_batches = 4};
  const auto best = bestMove(layers, q);
  ASSERT_TRUE(best);
  EXPECT_TRUE((best->node == 2 && best->to == 0) || (best->node == 3 && best->to == 2));
  EXPECT_LT(best->after, best->before);
  EXPECT_FALSE(bestMove(chainOf({{3, 0}, {1, 1}}), {.stages = 2, .batch = 4, .micro_batches = 4}));
  auto one_each = chainOf({{1, 0}, {3, 1}, {2, 2}});
  one_each[1].backward_cost = one_each[2].backward_cost = 5;
  EXPECT_FALSE(bestMove(one_each, {.stages = 3, .batch = 6, .micro_batches = 6})) << "even where that ends sooner";
  EXPECT_EQ(emptyLane({{1, 0}, {2, 2}}, 3), 1);
  EXPECT_EQ(emptyLane({{1, 0}, {2, 1}}, 2), -1);
}

TEST(LaneLayout, PutsCardsOfALaneBelowEachOther) {
  const LaneLayout l = laneLayout({7, 8, 9}, {{7, 0}, {8, 0}, {9, 1}}, 2, 800);
  EXPECT_EQ(l.laneWidth, 400);
  EXPECT_EQ(l.cards.at(8).top() - l.cards.at(7).top(), lane::pitch);
  EXPECT_EQ(l.cards.at(9).top(), l.cards.at(7).top());
  EXPECT_EQ(l.cards.at(7).center().x(), 200);
  EXPECT_EQ(l.cards.at(9).height(), 38);
  EXPECT_EQ(laneAt(l, 2, 399), 0);
  EXPECT_EQ(laneAt(l, 2, 401), 1);
  EXPECT_EQ(laneAt(l, 2, -50), 0);
  EXPECT_EQ(laneAt(l, 2, 5000), 1);
  EXPECT_LE(laneLayout({1}, {{1, 0}}, 8, 640).cards.at(1).width(), 80 - 2 * 10);
}

TEST(LaneLayout, ACrossingGoesPastLanesBetweenAboveTheirCards) {
  const QRectF from(20, 200, 160, 38), to(620, 300, 160, 38);
  const QPolygonF beside = crossingRoute(from, to.translated(-400, 0), 0, 1, 200, 0);
  EXPECT_EQ(beside.size(), 4);
  const QPolygonF past = crossingRoute(from, to, 0, 3, 200, 0);
  ASSERT_EQ(past.size(), 6);
  EXPECT_LT(past[2].y(), lane::top);
  EXPECT_EQ(past.front(), QPointF(from.right(), from.center().y()));
  EXPECT_EQ(past.back(), QPointF(to.left(), to.center().y()));
}

TEST(LaneLayout, WidthOfACrossingIsByBytes) {
  EXPECT_EQ(crossingWidth(100, 100), 9);
  EXPECT_EQ(crossingWidth(25, 100), 6);
  EXPECT_EQ(crossingWidth(0, 100), 3);
  EXPECT_EQ(crossingWidth(5, 0), 3);
}

TEST(LaneLayout, LabelsDoNotCoverEachOther) {
  const auto places = labelPlaces({{100, 100}, {105, 110}, {300, 100}}, {76, 34});
  EXPECT_FALSE(places[0].intersects(places[1]));
  EXPECT_EQ(places[2].center(), QPointF(300, 100));
}

TEST(LaneLayout, StepsOfTheAxisAreRound) {
  EXPECT_EQ(axisStep(266, 14), 20);
  EXPECT_EQ(axisStep(100, 10), 10);
  EXPECT_EQ(axisStep(9, 10), 1);
  EXPECT_EQ(axisStep(0, 10), 1);
}

TEST(LaneColours, PassesDifferAndTheirNumbersCanBeRead) {
  for (const Theme& t : {lightTheme(), darkTheme(), contrastTheme()})
    for (int lane = 0; lane < 4; ++lane) {
      EXPECT_NE(passColour(t, lane, false), passColour(t, lane, true));
      for (const bool backward : {false, true}) {
        const QColor ground = passColour(t, lane, backward);
        EXPECT_GE(contrastOf(inkOf(ground), ground), 4.5) << lane << backward;
      }
      EXPECT_GE(contrastOf(t.text2, laneGround(t, lane)), 4.5);
    }
}

}  // namespace
}  // namespace nw::ui
