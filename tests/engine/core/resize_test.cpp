// SPDX-License-Identifier: Apache-2.0
#include "engine/core/resize.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "engine/core/json.hpp"
#include "tests/support/noise_image.hpp"
#include "tests/support/paths.hpp"

namespace nw {
namespace {

using testing::ElementsAre;
using testing::FloatEq;

TEST(Resize, AreaIsTheMeanOfTheCoveredPixels) {
  const Image image{2, 4, 1, {0, 10, 20, 30, 40, 50, 60, 70}};
  EXPECT_THAT(resized(image, 1, 2, Resampling::area).hwc, ElementsAre(25, 45));
  // Three pixels become two: each covers one and a half.
  EXPECT_THAT(resized({1, 3, 1, {0, 90, 240}}, 1, 2, Resampling::area).hwc, ElementsAre(30, 190));
}

TEST(Resize, AreaInterpolatesAlongEnlargedAxes) {
  EXPECT_THAT(resized({1, 2, 1, {0, 100}}, 1, 4, Resampling::area).hwc, ElementsAre(0, 25, 75, 100));
  EXPECT_THAT(resized({2, 2, 1, {0, 100, 100, 200}}, 1, 4, Resampling::area).hwc, ElementsAre(50, 75, 125, 150));
}

TEST(Resize, BilinearInterpolatesTwoPixelsAlsoWhenShrinking) {
  EXPECT_THAT(resized({1, 6, 1, {0, 10, 200, 30, 40, 50}}, 1, 2, Resampling::bilinear).hwc, ElementsAre(10, 40));
}

// Pillow resizes columns first for some sizes, which changes the rounding: by one level at most.
TEST(Resize, AntialiasedIsTorchvisions) {
  Json cases;
  std::ifstream(test::tests_folder() + "/reference/resize.json") >> cases;
  ASSERT_GT(cases.size(), 8u);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto from = cases[i]["from"].get<std::vector<std::int64_t>>(),
               to = cases[i]["to"].get<std::vector<std::int64_t>>();
    const Image image = test::noise_image(from[0], from[1], from[2], static_cast<std::uint32_t>(i + 1));
    const auto bilinear = resized(image, to[0], to[1], *resampling_named("bilinear")).hwc;
    const auto wanted = cases[i]["bilinear"].get<std::vector<std::uint8_t>>();
    EXPECT_LE(test::largest_difference(bilinear, wanted), 1) << i;
    if (from[0] == from[1] || from[0] == 1 || from[1] == 1) { EXPECT_EQ(bilinear, wanted) << i; }
    EXPECT_EQ(resized(image, to[0], to[1], *resampling_named("nearest")).hwc,
              cases[i]["nearest"].get<std::vector<std::uint8_t>>())
        << i;
  }
}

TEST(Resize, ChoicesHaveNames) {
  EXPECT_EQ(resampling_named("bilinear"), Resampling::antialiased);
  EXPECT_EQ(resampling_named("area"), Resampling::area);
  EXPECT_EQ(resampling_named("nearest"), Resampling::nearest);
  EXPECT_EQ(resampling_named("lanczos"), std::nullopt);
}

TEST(Resize, NearestRepeatsPixels) {
  EXPECT_THAT(resized({1, 2, 1, {7, 9}}, 2, 5, Resampling::nearest).hwc, ElementsAre(7, 7, 7, 9, 9, 7, 7, 7, 9, 9));
  EXPECT_THAT(resized({1, 4, 1, {1, 2, 3, 4}}, 1, 2, Resampling::nearest).hwc, ElementsAre(1, 3));
}

TEST(Resize, ChannelsAreNotMixed) {
  const Image two = resized({1, 4, 3, {0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32}}, 1, 2, Resampling::area);
  EXPECT_EQ(two.channels, 3);
  EXPECT_THAT(two.hwc, ElementsAre(5, 6, 7, 25, 26, 27));
}

TEST(Resize, TheSameSizeGivesTheSameBytes) {
  const Image image{2, 2, 1, {1, 2, 3, 255}};
  for (const Resampling how : {Resampling::area, Resampling::bilinear, Resampling::nearest, Resampling::antialiased})
    EXPECT_EQ(resized(image, 2, 2, how).hwc, image.hwc);
}

TEST(Resize, FloatMapsAreNotRoundedToIntegers) {
  const std::vector<float> map = {0, 1, 2, 3};
  EXPECT_THAT(resized(map, 2, 2, 2, 4, Resampling::bilinear),
              ElementsAre(FloatEq(0), FloatEq(0.25f), FloatEq(0.75f), FloatEq(1), FloatEq(2), FloatEq(2.25f),
                          FloatEq(2.75f), FloatEq(3)));
  EXPECT_THAT(resized(map, 2, 2, 1, 1, Resampling::area), ElementsAre(FloatEq(1.5f)));
}

}  // namespace
}  // namespace nw
