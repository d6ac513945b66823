// SPDX-License-Identifier: Apache-2.0
#include "engine/design/layer_type.hpp"

#include <gtest/gtest.h>

namespace nw {
namespace {

TEST(FindLayer, FindsEveryLayerByItsName) {
  for (const LayerType* layer : all_layers()) EXPECT_EQ(find_layer(layer->name), layer);
  EXPECT_EQ(find_layer("Conv9d"), nullptr);
  EXPECT_EQ(find_layer(""), nullptr);
}

TEST(NearestLayer, SuggestsTheClosestLayerName) {
  EXPECT_EQ(nearest_layer("Conv2D"), "Conv2d");
  EXPECT_EQ(nearest_layer("conv2"), "Conv2d");
  EXPECT_EQ(nearest_layer("MaxPooling2d"), "MaxPool2d");
  EXPECT_EQ(nearest_layer("relu"), "ReLU");
  EXPECT_EQ(nearest_layer("Flaten"), "Flatten");
  EXPECT_FALSE(nearest_layer(std::string(1 << 20, 'x')).empty());
}

}  // namespace
}  // namespace nw
