// SPDX-License-Identifier: Apache-2.0
// What records are called in PyTorch and what layers cost: the reference pages of the user guide.
#include "engine/exchange/record_facts.hpp"

#include <gtest/gtest.h>

namespace nw::exchange {
namespace {

TorchName name_of(std::string_view layer) { return torch_name(*example_of(*find_layer(layer))); }

TEST(RecordFacts, EveryLayerThatTrainsHasAnExample) {
  for (const LayerType* layer : all_layers())
    if (!layer->refusal) EXPECT_TRUE(example_of(*layer)) << layer->name;
}

TEST(RecordFacts, AnExampleHasTheCostOfItsDefaults) {
  const auto conv = example_of(*find_layer("Conv2d"));
  EXPECT_EQ(conv->layer.shape, (Shape{1, 16, 30, 30}));
  EXPECT_EQ(conv->multiply_adds, 16 * 30 * 30 * 16 * 9);
  EXPECT_EQ(example_of(*find_layer("Linear"))->layer.input_shapes.at(0), (Shape{1, 64}));
  EXPECT_EQ(example_of(*find_layer("Add"))->layer.input_shapes.size(), 2u);
}

TEST(RecordFacts, NamesAreThoseOfTheWrittenFiles) {
  EXPECT_EQ(name_of("Conv2d").name, "nn.Conv2d");
  EXPECT_FALSE(name_of("Conv2d").own_class);
  EXPECT_EQ(name_of("ChannelLinear").name, "ChannelLinear");
  EXPECT_TRUE(name_of("ChannelLinear").own_class);
  EXPECT_EQ(name_of("Add").name, "a + b");
  EXPECT_TRUE(name_of("Add").expression);
  EXPECT_EQ(name_of("MSE").name, "nn.functional.mse_loss");
  EXPECT_EQ(name_of("Input").name, "");
}

TEST(RecordFacts, OptimizersOfTheFileItselfAreTold) {
  EXPECT_EQ(torch_name(*find_optimizer("sgd")).name, "torch.optim.SGD");
  EXPECT_FALSE(torch_name(*find_optimizer("sgd")).own_class);
  EXPECT_EQ(torch_name(*find_optimizer("lars")).name, "LARS");
  EXPECT_TRUE(torch_name(*find_optimizer("lars")).own_class);
}

}  // namespace
}  // namespace nw::exchange
