// SPDX-License-Identifier: Apache-2.0
#include "engine/design/recipe.hpp"

#include <gtest/gtest.h>

#include "engine/compile/compile.hpp"
#include "engine/design/input_shape.hpp"

namespace nw {
namespace {

TEST(Recipe, FollowsTheSizeOfThePhotosTheirNumberAndTheDevice) {
  EXPECT_EQ(recommended_recipe({200, 10, 32, 32}, false), (Recipe{"convnet", 32}));
  EXPECT_EQ(recommended_recipe({2062, 5, 3000, 4000}, false), (Recipe{"convnet", 64}));
  EXPECT_EQ(recommended_recipe({2062, 5, 40, 4000}, false), (Recipe{"convnet", 32})) << "the smaller side";
  EXPECT_EQ(recommended_recipe({200, 10, 480, 640}, true), (Recipe{"convnet", 64})) << "too few for a residual network";
  EXPECT_EQ(recommended_recipe({2062, 5, 480, 640}, true), (Recipe{"resnet18", 64}));
  EXPECT_EQ(recommended_recipe({20'000, 5, 480, 640}, true), (Recipe{"resnet18", 224}));
  EXPECT_EQ(recommended_recipe({500, 2, 0, 0}, false), (Recipe{"convnet", 32})) << "the size is unknown";
}

TEST(Recipe, FewPhotosAreSeenMoreOftenInSmallerBatches) {
  const TrainSettings base = find_template("convnet-tiny")->make().settings();
  const TrainSettings few = recipe_settings(base, 180), some = recipe_settings(base, 4500),
                      many = recipe_settings(base, 50'000);
  EXPECT_EQ(few.batch, 32);
  EXPECT_EQ(some.batch, 64);
  EXPECT_EQ(many.batch, 128);
  EXPECT_EQ(few.epochs, 100);
  EXPECT_EQ(some.epochs, 30);
  EXPECT_EQ(many.epochs, 15);
  EXPECT_DOUBLE_EQ(few.learning_rate, base.learning_rate * 32 / static_cast<double>(base.batch));
  EXPECT_DOUBLE_EQ(few.warmup_epochs, 5);
  EXPECT_DOUBLE_EQ(many.warmup_epochs, 1);
  EXPECT_EQ(recipe_settings(base, 0).epochs, 100) << "an empty set divides nothing";
}

TEST(Recipe, FewPhotosAreAugmentedMore) {
  const TrainSettings base = find_template("convnet-tiny")->make().settings();
  const TrainSettings few = recipe_settings(base, 900), many = recipe_settings(base, 50'000);
  ASSERT_EQ(few.transforms.size(), 1u);
  EXPECT_EQ(few.transforms[0].type, "RandAugment");
  EXPECT_TRUE(many.transforms.empty());
  EXPECT_TRUE(many.random_crop && many.horizontal_flip);
}

TEST(Recipe, TrainsOnTheGivenDevice) {
  const PhotoSet photos{300, 7, 480, 640};
  EXPECT_EQ(make_recipe({"convnet", 32}, {}, photos).settings().devices, std::vector<std::string>{"cpu"});
  EXPECT_EQ(make_recipe({"convnet", 32}, {}, photos, "cuda:1").settings().devices, std::vector<std::string>{"cuda:1"});
}

TEST(InputShape, IsThatOfTheOnlyInput) {
  GraphDoc doc = find_template("convnet-tiny")->make();
  EXPECT_EQ(input_shape(doc), (Shape{1, 3, 32, 32}));
  ASSERT_TRUE(doc.apply(add_node(doc, "", Node{.type = "Input", .name = "second"})));
  EXPECT_EQ(input_shape(doc), std::nullopt) << "which one is meant?";
  GraphDoc fresh;
  EXPECT_EQ(input_shape(fresh), std::nullopt);
  ASSERT_TRUE(fresh.apply(add_node(fresh, "", Node{.type = "Input", .name = "images"})));
  EXPECT_EQ(input_shape(fresh), (Shape{1, 1, 28, 28})) << "the defaults";
}

TEST(Recipe, EveryNetworkTakesEverySizeAndHasAnOutputForEachClass) {
  for (const RecipeNetwork& network : recipe_networks())
    for (const std::int64_t size : recipe_sizes()) {
      DataChoice data;
      data.kind = SourceKind::image_folder;
      data.path = "photos";
      const GraphDoc doc = make_recipe({network.name, size}, data, {300, 7, 480, 640});
      EXPECT_EQ(doc.data().path, "photos");
      EXPECT_EQ(doc.data().height, size);
      EXPECT_EQ(doc.data().width, size);
      EXPECT_EQ(doc.data().channels, 3);
      const DataFacts facts{.channels = 3, .height = size, .width = size, .classes = 7, .train = 270, .validation = 30};
      const Analysis analysis = analyse(doc, {.data = facts});
      EXPECT_TRUE(analysis.problems.empty())
          << network.name << " " << size << ": " << analysis.problems.front().what.str();
    }
}

}  // namespace
}  // namespace nw
