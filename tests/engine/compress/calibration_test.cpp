// SPDX-License-Identifier: Apache-2.0
// Ranges measured by running a network.
#include "engine/compress/calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/compile/flat_network.hpp"
#include "engine/design/draft.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw::compress {
namespace {

/// Pixels of one channel, a ReLU and a linear layer.
GraphDoc network() {
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "images", {{"channels", std::int64_t{1}}, {"height", std::int64_t{2}}, {"width", std::int64_t{2}}});
  d.add("Conv2d", "conv", {{"out_channels", std::int64_t{1}}, {"kernel_size", both(1)}, {"bias", false}});
  d.add("ReLU", "relu");
  d.add("Flatten", "flatten");
  d.add("Linear", "fc", {{"out_features", std::int64_t{2}}});
  d.add("CrossEntropy", "loss");
  return doc;
}

/// Every weight is `weight`.
CalibratedNetwork with_weights(const GraphDoc& doc, float weight) {
  return {.doc = doc, .mean = {0.5F}, .deviation = {0.25F}, .load = [weight](const Plan& plan, Executable& to) {
            for (std::size_t v = 0; v < plan.values.size(); ++v) {
              const Value& value = plan.values[v];
              const auto bytes = static_cast<std::size_t>(value.shape.elements()) * size_of(value.dtype);
              const std::vector<float> all(bytes / sizeof(float), value.role == Role::weight ? weight : 0.0F);
              if (value.role == Role::weight || value.name == "labels")
                to.write(static_cast<int>(v), std::as_bytes(std::span(all)).first(bytes));
            }
            return Status();
          }};
}

/// Image i holds `first` + i in every pixel.
CalibrationImages steps(std::int64_t count, int first) {
  return {.count = count, .height = 2, .width = 2, .channels = 1, .pixels = [first](std::int64_t i, auto hwc) {
            std::memset(hwc.data(), first + static_cast<int>(i), hwc.size());
            return Status();
          }};
}

TEST(Calibration, EveryLayersOutputIsMeasuredOverAllImages) {
  const GraphDoc doc = network();
  const auto table = calibrate(with_weights(doc, -2), steps(11, 245));
  ASSERT_TRUE(table) << table.error().str();
  const float low = (245.0F / 255 - 0.5F) / 0.25F, high = (255.0F / 255 - 0.5F) / 0.25F;
  const ValueRange& images = table->at("images");
  EXPECT_FLOAT_EQ(images.least, low) << "the second batch has only three images";
  EXPECT_FLOAT_EQ(images.most, high);
  EXPECT_EQ(images.count, 44U);
  EXPECT_FLOAT_EQ(table->at("conv").least, -2 * high);
  EXPECT_FLOAT_EQ(table->at("conv").most, -2 * low);
  EXPECT_EQ(table->at("relu").most, 0) << "all of it is below 0";
  EXPECT_EQ(table->at("flatten").count, 44U);
  EXPECT_EQ(table->at("fc").count, 22U);
}

TEST(Calibration, ProgressIsToldAndMayStop) {
  const GraphDoc doc = network();
  std::vector<std::int64_t> told;
  const auto all = calibrate(with_weights(doc, 1), steps(20, 0), [&](std::int64_t done, std::int64_t of) {
    EXPECT_EQ(of, 20);
    told.push_back(done);
    return true;
  });
  ASSERT_TRUE(all);
  EXPECT_EQ(told, (std::vector<std::int64_t>{8, 16, 20}));
  const auto stopped = calibrate(with_weights(doc, 1), steps(20, 0), [](auto, auto) { return false; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Errc::stopped);
}

TEST(Calibration, NumbersThatAreNotFiniteAreCountedByLayer) {
  const GraphDoc doc = network();
  const auto table = calibrate(with_weights(doc, NAN), steps(3, 9));
  ASSERT_TRUE(table);
  EXPECT_EQ(table->at("images").not_finite, 0U);
  EXPECT_GT(table->at("conv").not_finite, 0U);
}

TEST(Calibration, ImagesThatAreMissingUnreadableOrOfAnotherSizeAreRefused) {
  const GraphDoc doc = network();
  EXPECT_FALSE(calibrate(with_weights(doc, 1), steps(0, 0)));
  CalibrationImages large = steps(1, 0);
  large.width = 3;
  EXPECT_FALSE(calibrate(with_weights(doc, 1), large));
  CalibrationImages broken = steps(9, 0);
  broken.pixels = [](std::int64_t i, auto) { return i < 8 ? Status() : Status(fail(Errc::disk, "image {0}", i)); };
  const auto refused = calibrate(with_weights(doc, 1), broken);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::disk);
}

TEST(Calibration, ImagesAreOfTheTrainingPartEvenly) {
  GraphDoc doc = network();
  DataChoice data = doc.data();
  data.kind = SourceKind::synthetic;
  data.synthetic_train = 50;
  data.synthetic_test = 10;
  ASSERT_TRUE(doc.apply({PutData{data}}));
  RunDefinition run;
  run.doc = doc;
  run.channels = 1;
  run.height = run.width = 28;
  const auto some = calibration_images(run, 5), all = calibration_images(run, 1000);
  ASSERT_TRUE(some && all) << some.error().str();
  EXPECT_EQ(some->count, 5);
  EXPECT_LE(all->count, 50) << "of the training part alone";
  EXPECT_GT(all->count, 30);
  std::vector<std::uint8_t> a(28 * 28), b(a), last(a);
  ASSERT_TRUE(some->pixels(4, a) && all->pixels(4 * all->count / 5, b) && all->pixels(4, last));
  EXPECT_EQ(a, b);
  EXPECT_NE(a, last);
  run.width = 27;
  const auto refused = calibration_images(run, 5);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::bad_input);
}

}  // namespace
}  // namespace nw::compress
