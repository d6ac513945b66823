// SPDX-License-Identifier: Apache-2.0
// Layers whose steps or gradients depend on their neighbours.
#include <gtest/gtest.h>

#include "tests/engine/layers/trained_plan.hpp"

namespace nw {
namespace {

using test::expect_gradients;
using test::net;
using test::TrainedPlan;

TEST(LayersInNetworks, AChannelScaleMultipliesEveryPixelAndGetsItsGradient) {
  TrainedPlan gated(
      net("images: Input 2x6x6; a: Conv2d out_channels=4 padding=1; pool: GlobalAvgPool2d; gate: Conv2d out_channels=4 "
          "kernel_size=1; "
          "s: Sigmoid; product: Multiply <- s, a, a; f: Flatten; fc: Linear out_features=3; loss: CrossEntropy"));
  ASSERT_TRUE(gated.ready());
  expect_gradients(gated);
}

TEST(LayersInNetworks, AChannelTermIsAddedToEveryPixelAndGetsItsGradient) {
  TrainedPlan spread(
      net("images: Input 2x6x6; a: Conv2d out_channels=4 padding=1; pool: GlobalAvgPool2d; term: Conv2d out_channels=4 "
          "kernel_size=1; sum: Add <- term, a, a; f: Flatten; fc: Linear out_features=3; loss: CrossEntropy"));
  ASSERT_TRUE(spread.ready());
  expect_gradients(spread);
}

TEST(LayersInNetworks, StochasticDepthLeavesOutWholeImagesMoreOftenInLaterLayers) {
  const auto step_of = [](int layer) {
    const TrainedPlan run(
        net(fmt::format("images: Input 2x6x6; before: Conv2d out_channels=4 kernel_size=1; layer: "
                        "StochasticDepth p=0.5 layer={} layers=2; after: Flatten; last: Linear "
                        "out_features=3; loss: MSE",
                        layer)));
    for (const Step& s : run.plan().steps)
      if (s.kernel == "dropout") return s;
    return Step{};
  };
  for (const int layer : {0, 1, 2}) {
    EXPECT_EQ(real_attr(step_of(layer).attrs, "p", -1), 0.25 * layer);
    EXPECT_EQ(int_attr(step_of(layer).attrs, "share", -1), 2);
  }
}

TEST(LayersInNetworks, TokensOfPatchesAttendToEachOtherAndAllGetGradients) {
  TrainedPlan small(
      net("images: Input 2x6x6; patches: PatchEmbedding embed_dim=6 patch_size=2; token: ClassToken; places: "
          "PositionalEmbedding; norm: LayerNorm2d; mix: MultiheadAttention num_heads=2; sum: Add <- mix, "
          "places; fc1: ChannelLinear out_features=5; first: Slice dim=rows end=1; f: Flatten; fc: Linear "
          "out_features=3; loss: CrossEntropy"));
  ASSERT_TRUE(small.ready());
  expect_gradients(small);
}

TEST(LayersInNetworks, GradientsAgreeThroughASkipConnectionAndAFrozenLayer) {
  GraphDoc doc =
      net("images: Input 2x6x6; a: Conv2d out_channels=4 padding=1; b: Conv2d out_channels=4 padding=1; r: SiLU; sum: "
          "Add <- r, a; "
          "cat: Concat <- sum, a, b; f: Flatten; fc: Linear out_features=3; loss: CrossEntropy");
  TrainedPlan plain(doc);
  ASSERT_TRUE(plain.ready());
  expect_gradients(plain);
}

}  // namespace
}  // namespace nw
