// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/compile/compile.hpp"
#include "tests/support/net_text.hpp"

namespace nw {
namespace {
using test::id_of;
using test::net;

TEST(Layers, ListContainsEveryRequiredLayer) {
  for (const char* name : {"Input",
                           "Conv2d",
                           "Linear",
                           "MaxPool2d",
                           "AvgPool2d",
                           "GlobalAvgPool2d",
                           "BatchNorm2d",
                           "Dropout",
                           "Flatten",
                           "ReLU",
                           "LeakyReLU",
                           "Sigmoid",
                           "Tanh",
                           "GELU",
                           "SiLU",
                           "Softmax",
                           "Add",
                           "Concat",
                           "LayerNorm",
                           "GroupNorm",
                           "ELU",
                           "PReLU",
                           "Hardswish",
                           "Multiply",
                           "AdaptiveAvgPool2d",
                           "ZeroPad2d",
                           "ConvTranspose2d",
                           "Upsample",
                           "CrossEntropy",
                           "BCEWithLogits",
                           "BCE",
                           "MSE",
                           "Mish",
                           "Softplus",
                           "SELU",
                           "ReLU6",
                           "Hardsigmoid",
                           "Hardtanh",
                           "GlobalMaxPool2d",
                           "LocalResponseNorm",
                           "ChannelShuffle",
                           "Dropout2d",
                           "StochasticDepth",
                           "LayerScale",
                           "InstanceNorm2d",
                           "LayerNorm2d",
                           "Slice",
                           "Reshape",
                           "Transpose",
                           "ChannelLinear",
                           "PatchEmbedding",
                           "ClassToken",
                           "PositionalEmbedding",
                           "MultiheadAttention",
                           "Formula"})
    EXPECT_NE(find_layer(name), nullptr) << name;
}

TEST(Layers, MultiplyAddsAreCountedByHand) {
  const auto cost = [](const std::string& text, const char* node) {
    const GraphDoc doc = net(text);
    return analyse(doc, {}).facts.at("").at(id_of(doc, node)).multiply_adds;
  };
  EXPECT_EQ(cost("images: Input 3x8x8; c: Conv2d out_channels=6 kernel_size=5 padding=2 groups=3", "c"),
            6 * 8 * 8 * 1 * 25);
  EXPECT_EQ(cost("images: Input 3x8x8; f: Flatten; fc: Linear out_features=7", "fc"), 192 * 7);
  EXPECT_EQ(cost("images: Input 3x8x8; p: PatchEmbedding embed_dim=5 patch_size=4", "p"), 4 * 5 * 3 * 16);
  EXPECT_EQ(cost("images: Input 4x3x1; a: MultiheadAttention num_heads=2", "a"),
            3 * 4 * 12 + 2 * 3 * 3 * 4 + 3 * 4 * 4);
}

}  // namespace
}  // namespace nw
