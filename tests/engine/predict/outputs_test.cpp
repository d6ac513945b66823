// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/design/data_facts.hpp"
#include "engine/design/project_file.hpp"
#include "engine/predict/outputs.hpp"

namespace nw {
namespace {

constexpr DataFacts facts{.channels = 1, .height = 28, .width = 28, .classes = 10, .train = 100};

std::vector<float> half_bright() {
  std::vector<float> image(28 * 28, 0.0f);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = i % 28 < 14 ? 0.0f : 1.0f;
  return image;
}

TEST(Outputs, ALayersImageAndFiguresComeFromItsValues) {
  const GraphDoc doc = find_template("lenet5")->make();
  const std::vector<float> image = half_bright();
  const auto made = output_images(doc, {.data = facts, .nhwc = image, .names = {"conv1", "relu1", "fc1", "nowhere"}});
  ASSERT_TRUE(made) << made.error().str();
  ASSERT_EQ(made->size(), 3U);
  const OutputImage &conv = (*made)[0], &relu = (*made)[1], &fc = (*made)[2];
  EXPECT_EQ(to_string(conv.shape), "6×28×28");
  EXPECT_LT(conv.least, 0);
  EXPECT_EQ(relu.least, 0);
  EXPECT_GT(relu.zeros, 0.05);
  EXPECT_DOUBLE_EQ(relu.most, std::max(0.0, conv.most));
  EXPECT_EQ(to_string(fc.shape), "120");
  for (const OutputImage& p : *made) {
    ASSERT_EQ(p.grey.size(), static_cast<std::size_t>(output_picture_side * output_picture_side));
    EXPECT_GT(*std::max_element(p.grey.begin(), p.grey.end()), *std::min_element(p.grey.begin(), p.grey.end()))
        << p.name;
  }
}

TEST(Outputs, TheSameDrawingGivesTheSameImagesAndAnotherSeedOthers) {
  GraphDoc doc = find_template("lenet5")->make();
  const std::vector<float> image = half_bright();
  const OutputRequest request{.data = facts, .nhwc = image, .names = {"conv1"}};
  const auto first = output_images(doc, request), again = output_images(doc, request);
  TrainSettings s = doc.settings();
  ++s.seed;
  ASSERT_TRUE(doc.apply({PutSettings{s}}));
  const auto other = output_images(doc, request);
  ASSERT_TRUE(first && again && other);
  EXPECT_EQ((*first)[0].grey, (*again)[0].grey);
  EXPECT_NE((*first)[0].grey, (*other)[0].grey);
}

TEST(Outputs, AnImageOfTheWrongSizeIsRejected) {
  const std::vector<float> image(5);
  EXPECT_FALSE(output_images(find_template("lenet5")->make(), {.data = facts, .nhwc = image, .names = {"conv1"}}));
}

}  // namespace
}  // namespace nw
