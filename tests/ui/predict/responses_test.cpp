// SPDX-License-Identifier: GPL-3.0-or-later
// The conversion of images and of the helper's responses for display on the Predict page.
#include <gtest/gtest.h>

#include "tests/ui/predict/fake_helper.hpp"
#include "ui/predict/explain/explanation.hpp"
#include "ui/predict/source/metric_responses.hpp"
#include "ui/predict/try/distortion.hpp"

namespace nw::ui {
namespace {

TEST(Distortions, RotateOccludeAndAddNoiseReproducibly) {
  QImage image(9, 9, QImage::Format_Grayscale8);
  image.fill(0);
  image.setPixel(4, 0, 0);
  for (int x = 3; x < 6; ++x) image.scanLine(0)[x] = 255;
  EXPECT_EQ(distorted(image, {}), image);
  const QImage half = distorted(image, {.turn = 180});
  EXPECT_GT(half.constScanLine(8)[4], 200);
  EXPECT_LT(half.constScanLine(0)[4], 50);
  const QImage covered = distorted(image, {.cover = 25});
  EXPECT_NEAR(covered.constScanLine(4)[4], 128, 1);
  EXPECT_EQ(covered.constScanLine(8)[8], 0);
  const QImage noisy = distorted(image, {.noise = 20});
  EXPECT_NE(noisy, image);
  EXPECT_EQ(noisy, distorted(image, {.noise = 20}));
  EXPECT_EQ(noisy.format(), image.format());
  QImage colour(5, 7, QImage::Format_RGB888);
  colour.fill(Qt::red);
  EXPECT_EQ(distorted(colour, {.turn = 10, .noise = 5, .cover = 30}).size(), colour.size());
  EXPECT_TRUE(distorted({}, {.turn = 10}).isNull());
}

std::vector<std::uint8_t> bytes_of(const std::vector<float>& floats) {
  std::vector<std::uint8_t> bytes(floats.size() * sizeof(float));
  std::memcpy(bytes.data(), floats.data(), bytes.size());
  return bytes;
}

TEST(FeatureMaps, AreTiledAndEachIsScaledFromItsMinimumToItsMaximum) {
  // 2 columns, 1 row, scaled by 280 / 6
  const QImage two = feature_maps(Json{2, 1, 2}, bytes_of({0, 5, 100, 50}));
  ASSERT_FALSE(two.isNull());
  const int tile = two.width() / 2;
  EXPECT_EQ(qGray(two.pixel(2, 2)), 0);
  EXPECT_EQ(qGray(two.pixel(tile - 4, 2)), 255);
  EXPECT_EQ(qGray(two.pixel(tile + 3, 2)), 255) << "the second map's largest stands first";
  EXPECT_EQ(qGray(two.pixel(two.width() - 4, 2)), 0);
  EXPECT_TRUE(feature_maps(Json{2, 1, 3}, bytes_of({0, 5, 100, 50})).isNull());
  EXPECT_TRUE(feature_maps(Json{4}, bytes_of({0, 5, 100, 50})).isNull());
  EXPECT_TRUE(feature_maps(Json{2, 0, 2}, {}).isNull());
  EXPECT_FALSE(feature_maps(Json{300, 1, 1}, bytes_of(std::vector<float>(300, std::numeric_limits<float>::quiet_NaN())))
                   .isNull());
}

TEST(FilterPictures, AreInColourForThreeChannelsAndGreyIsZero) {
  const QImage colour = filter_images(Json{1, 3, 1, 1}, bytes_of({1, 0, -1}));
  ASSERT_FALSE(colour.isNull());
  const QColor c = colour.pixelColor(2, 2);
  EXPECT_EQ(c.red(), 255);
  EXPECT_NEAR(c.green(), 128, 1);
  EXPECT_EQ(c.blue(), 0);
  const QImage rows = filter_images(Json{3, 2, 1, 1}, bytes_of({1, -1, 0, 2, 4, 4}));  // one row per filter
  EXPECT_GT(rows.height(), rows.width());
  EXPECT_EQ(qGray(rows.pixel(2, 2)), 255);
  EXPECT_EQ(qGray(rows.pixel(rows.width() - 4, 2)), 0);
  EXPECT_TRUE(filter_images(Json{3, 1, 1}, bytes_of({1, -1, 0})).isNull());
  EXPECT_TRUE(filter_images(Json{3, 2, 1, 1}, bytes_of({1})).isNull());
  const QImage many = filter_images(Json{512, 512, 1, 1}, bytes_of(std::vector<float>(512 * 512, 1)));
  EXPECT_LE(many.width(), 2 * 280) << "twenty-four of either";
}

TEST(MetricAnswers, InconsistentOnesAreRejected) {
  EXPECT_TRUE(metrics_from(fake_metrics(), 10));
  EXPECT_FALSE(metrics_from(fake_metrics(), 9)) << "of another network";
  EXPECT_TRUE(curves_from(fake_curves(3)));
  for (const char* key : {"roc", "precision_recall", "decisions"}) {
    Json lie = fake_curves(3);
    lie[key] = "none";
    EXPECT_FALSE(curves_from(lie)) << key;
  }
  Json shorter = fake_curves(3);
  shorter["roc"]["y"].erase(0);
  EXPECT_FALSE(curves_from(shorter));
  for (const Json& lie : {Json(), Json(3), Json::array()}) EXPECT_FALSE(metrics_from(lie, 0) && curves_from(lie));
}

}  // namespace
}  // namespace nw::ui
