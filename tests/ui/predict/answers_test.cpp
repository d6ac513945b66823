// SPDX-License-Identifier: GPL-3.0-or-later
// What the Predict page makes of images and of the helper's answers before anything is shown.
#include <gtest/gtest.h>

#include "tests/ui/predict/fake_helper.hpp"
#include "ui/predict/distortion.hpp"
#include "ui/predict/metric_answers.hpp"

namespace nw::ui {
namespace {

TEST(Distortions, TurnCoverAndDisturbAndAreTheSameEveryTime) {
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

TEST(MetricAnswers, ThatDoNotFitAreRefused) {
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
