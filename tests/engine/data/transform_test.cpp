// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <numeric>
#include <set>

#include "engine/core/json.hpp"
#include "engine/core/rng.hpp"
#include "engine/data/batches/batch.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/sources.hpp"
#include "engine/data/transforms/mixing.hpp"
#include "engine/data/transforms/pixel_ops.hpp"
#include "engine/data/transforms/rand_augment.hpp"
#include "engine/data/transforms/transform_text.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/transform.hpp"
#include "tests/support/paths.hpp"

namespace nw {
namespace {

/// The same image as in tests/reference/make/make_transform_reference.py.
TransformImage made_up(std::int64_t channels = 3) {
  TransformImage image{{9, 12, channels, {}}, {}};
  for (std::int64_t i = 0; i < 9 * 12 * channels; ++i) {
    const bool dark = (i / channels) % 12 < 4;
    image.hwc.push_back(static_cast<std::uint8_t>(((i * i * 7 + i * 31) % 256) / (dark ? 2 : 1)));
  }
  return image;
}

using Change = std::function<void(TransformImage&)>;
const std::map<std::string, Change> same_as_torchvision = {
    {"affine_angle", [](TransformImage& i) { affine(i, {.angle = 17}); }},
    {"affine_shift", [](TransformImage& i) { affine(i, {.shift_x = 3, .shift_y = -2}); }},
    {"affine_scale", [](TransformImage& i) { affine(i, {.scale = 0.8}); }},
    {"affine_all",
     [](TransformImage& i) {
       affine(i, {.angle = -25, .shift_x = 1, .shift_y = 2, .scale = 1.2, .shear_x = 8, .shear_y = -5});
     }},
    {"shear_x", [](TransformImage& i) { affine(i, {.shear_x = std::atan(0.2) * 57.29577951308232}); }},
    {"vertical_flip", flip_vertical},
    {"brightness", [](TransformImage& i) { adjust_brightness(i, 1.4); }},
    {"contrast", [](TransformImage& i) { adjust_contrast(i, 0.6); }},
    {"saturation", [](TransformImage& i) { adjust_saturation(i, 1.5); }},
    {"hue", [](TransformImage& i) { adjust_hue(i, 0.13); }},
    {"sharpness", [](TransformImage& i) { adjust_sharpness(i, 1.8); }},
    {"grayscale", to_grayscale},
    {"posterize", [](TransformImage& i) { posterize(i, 5); }},
    {"solarize", [](TransformImage& i) { solarize(i, 100); }},
    {"autocontrast", autocontrast},
    {"equalize", equalize},
    {"blur", [](TransformImage& i) { gaussian_blur(i, 5, 1.3); }},
};

class PixelOps : public testing::TestWithParam<std::string> {};
TEST_P(PixelOps, EqualTorchvisionPixelByPixel) {
  Json reference;
  std::ifstream(test::tests_folder() + "/reference/transforms.json") >> reference;
  TransformImage image = made_up();
  same_as_torchvision.at(GetParam())(image);
  const auto want = reference.at(GetParam()).get<std::vector<int>>();
  ASSERT_EQ(image.hwc.size(), want.size());
  // a difference of one level: halves may be rounded differently
  for (std::size_t i = 0; i < want.size(); ++i) ASSERT_NEAR(image.hwc[i], want[i], 1) << "byte " << i;
}
INSTANTIATE_TEST_SUITE_P(All, PixelOps, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const auto& [name, change] : same_as_torchvision) names.push_back(name);
                           return names;
                         }()),
                         [](const auto& info) { return info.param; });

TEST(PixelOps, TakeImagesOfAnyNumberOfChannelsAndOfOnePixel) {
  for (const std::int64_t channels : {1, 2, 3, 5})
    for (const auto& [name, change] : same_as_torchvision) {
      TransformImage image = made_up(channels),
                     dot{{1, 1, channels, std::vector<std::uint8_t>(static_cast<std::size_t>(channels), 200)}, {}};
      change(image);
      change(dot);
      EXPECT_EQ(image.hwc.size(), static_cast<std::size_t>(9 * 12 * channels)) << name;
      EXPECT_EQ(dot.hwc.size(), static_cast<std::size_t>(channels)) << name;
    }
}

class EveryTransform : public testing::TestWithParam<std::string> {
 protected:
  std::vector<Transform> list() const { return {default_transform(*find_transform(GetParam()))}; }
  std::vector<std::uint8_t> apply(std::int64_t epoch, std::int64_t sample, std::uint64_t seed = 1) const {
    TransformImage image = made_up();
    apply_transforms(list(), seed, epoch, sample, image);
    return image.hwc;
  }
};
TEST_P(EveryTransform, IsReproducibleForAKeyAndDiffersForOthers) {
  std::set<std::vector<std::uint8_t>> seen;
  for (std::int64_t epoch = 0; epoch < 3; ++epoch)
    for (std::int64_t sample = 0; sample < 30; ++sample) {
      EXPECT_EQ(apply(epoch, sample), apply(epoch, sample));
      seen.insert(apply(epoch, sample));
    }
  const bool of_batches = mixes(list().front());  // a transform of batches does not change a single image
  EXPECT_EQ(seen.size() == 1, of_batches);
  bool other = of_batches;
  for (std::int64_t sample = 0; sample < 30; ++sample) other |= apply(0, sample, 1) != apply(0, sample, 2);
  EXPECT_TRUE(other) << "the seed plays no part";
}
TEST_P(EveryTransform, LeavesImagesUnchangedAtItsWeakest) {
  Transform t = list()[0];
  const TransformType& type = *find_transform(t.type);
  for (std::size_t f = 0; f < t.values.size(); ++f) t.values[f] = type.fields[f].lo;
  if (t.type == "GaussianBlur" || t.type == "RandAugment") GTEST_SKIP() << "this one always does something";
  TransformImage image = made_up();
  apply_transforms(std::vector{t}, 1, 0, 0, image);
  EXPECT_EQ(image.hwc, made_up().hwc);
}
TEST_P(EveryTransform, SurvivesItsStrongest) {
  Transform t = list()[0];
  const TransformType& type = *find_transform(t.type);
  for (std::size_t f = 0; f < t.values.size(); ++f) t.values[f] = type.fields[f].hi;
  for (std::int64_t sample = 0; sample < 50; ++sample)
    for (const std::int64_t channels : {1, 3}) {
      TransformImage image = made_up(channels);
      apply_transforms(std::vector{t}, 1, 0, sample, image);
      EXPECT_EQ(image.hwc.size(), made_up(channels).hwc.size());
    }
}
TEST_P(EveryTransform, IsReadBackFromAProjectFile) {
  TrainSettings s;
  s.transforms = list();
  // no value equals its default
  for (std::size_t f = 0; f < s.transforms[0].values.size(); ++f)
    s.transforms[0].values[f] = find_transform(GetParam())->fields[f].hi;
  const auto back = settings_from_json(to_json(s), "test");
  ASSERT_TRUE(back) << back.error().str();
  EXPECT_EQ(*back, s);
}
INSTANTIATE_TEST_SUITE_P(All, EveryTransform, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const TransformType& type : all_transforms()) names.push_back(type.name);
                           return names;
                         }()),
                         [](const auto& info) { return info.param; });

TEST(Transforms, AreAppliedInTheirOrder) {
  const Transform blur{"GaussianBlur", {2, 2}}, noise{"GaussianNoise", {0.3}};
  TransformImage first = made_up(), second = made_up();
  apply_transforms(std::vector{blur, noise}, 1, 0, 0, first);
  apply_transforms(std::vector{noise, blur}, 1, 0, 0, second);
  const auto roughness = [](const TransformImage& i) {
    int sum = 0;
    for (std::size_t k = 3; k < i.hwc.size(); ++k) sum += std::abs(i.hwc[k] - i.hwc[k - 3]);
    return sum;
  };
  EXPECT_GT(roughness(first), 2 * roughness(second));  // blurred noise is smooth
}
TEST(Transforms, DrawNewNumbersForEveryEpochSampleAndPosition) {
  const Transform noise{"GaussianNoise", {0.2}};
  const auto noisy = [&](std::size_t times, std::int64_t epoch, std::int64_t sample) {
    TransformImage image{{20, 20, 1, std::vector<std::uint8_t>(400, 128)}, {}};
    apply_transforms(std::vector<Transform>(times, noise), 1, epoch, sample, image);
    return image.hwc;
  };
  const auto once = noisy(1, 0, 0), twice = noisy(2, 0, 0);
  EXPECT_NE(once, noisy(1, 1, 0)) << "the epoch plays no part";
  EXPECT_NE(once, noisy(1, 0, 1)) << "the sample plays no part";
  double together = 0, first = 0, second = 0;  // correlation of two independent noises
  for (std::size_t i = 0; i < once.size(); ++i) {
    const double a = once[i] - 128.0, b = static_cast<double>(twice[i]) - once[i];
    together += a * b, first += a * a, second += b * b;
  }
  EXPECT_LT(together / std::sqrt(first * second), 0.3) << "both have the same key";
}
TEST(Transforms, ErasingTakesNoMoreThanItsLargestArea) {
  const Transform always{"RandomErasing", {1, 0.2}};
  for (std::int64_t sample = 0; sample < 100; ++sample) {
    TransformImage image{{20, 20, 1, std::vector<std::uint8_t>(400, 255)}, {}};
    apply_transforms(std::vector{always}, 1, 0, sample, image);
    const auto gone = std::count(image.hwc.begin(), image.hwc.end(), 0);
    EXPECT_GT(gone, 0);
    EXPECT_LE(gone, 0.2 * 400 + 20);  // the sides of the erased rectangle are rounded
  }
}
using Picture = std::vector<std::uint8_t>;

/// The pictures that one operation of RandAugment can make of the image at this magnitude.
std::set<Picture> rand_augmented(const TransformImage& from, int magnitude) {
  std::set<Picture> all;
  for (std::uint64_t sample = 0; sample < 400; ++sample) {
    TransformImage image = from;
    RandomStream random({.seed = 5, .sample = sample});
    rand_augment(image, 1, magnitude, random);
    all.insert(image.hwc);
  }
  return all;
}

/// The operations and their strengths at this magnitude: torchvision's RandAugment, whose magnitudes go to 30.
std::set<Picture> listed_by_torchvision(const TransformImage& from, double magnitude) {
  const double share = magnitude / 30, slope = std::atan(0.3 * share) * 180 / std::numbers::pi;
  const double columns = std::trunc(150.0 / 331 * share * static_cast<double>(from.width)),
               rows = std::trunc(150.0 / 331 * share * static_cast<double>(from.height));
  std::vector<Change> changes = {[](TransformImage&) {}, autocontrast, equalize,
                                 [&](TransformImage& i) { posterize(i, 8 - static_cast<int>(std::lround(4 * share))); },
                                 [&](TransformImage& i) { solarize(i, 255 - 255 * share); }};
  for (const double sign : {-1.0, 1.0}) {
    changes.emplace_back([=](TransformImage& i) { affine(i, {.shear_x = sign * slope}); });
    changes.emplace_back([=](TransformImage& i) { affine(i, {.shear_y = sign * slope}); });
    changes.emplace_back([=](TransformImage& i) { affine(i, {.shift_x = sign * columns}); });
    changes.emplace_back([=](TransformImage& i) { affine(i, {.shift_y = sign * rows}); });
    changes.emplace_back([=](TransformImage& i) { affine(i, {.angle = sign * 30 * share}); });
    for (auto* const adjust : {adjust_brightness, adjust_saturation, adjust_contrast, adjust_sharpness})
      changes.emplace_back([=](TransformImage& i) { adjust(i, 1 + sign * 0.9 * share); });
  }
  std::set<Picture> all;
  for (const Change& change : changes) {
    TransformImage image = from;
    change(image);
    all.insert(image.hwc);
  }
  return all;
}

TEST(Transforms, RandAugmentHasTheOperationsAndStrengthsOfTorchvision) {
  const TransformImage image = made_up();
  for (const int magnitude : {0, 9, 15, 30})
    EXPECT_EQ(rand_augmented(image, magnitude), listed_by_torchvision(image, magnitude)) << magnitude;
}

TEST(Transforms, NoiseHasItsStandardDeviation) {
  TransformImage image{{100, 100, 1, std::vector<std::uint8_t>(10000, 128)}, {}};
  apply_transforms(std::vector{Transform{"GaussianNoise", {0.05}}}, 1, 0, 0, image);
  double square = 0;
  for (const std::uint8_t v : image.hwc) square += (v - 128.0) * (v - 128.0);
  EXPECT_NEAR(std::sqrt(square / 10000), 0.05 * 255, 0.5);
}

TEST(Transforms, OfTrainingBatchesAreLeftOutWhereNotRequested) {
  auto data = std::make_shared<MemoryDataset>(3, 9, 12);
  data->pixels_ = made_up().hwc;
  data->labels_ = {0};
  const Normalization none{{0, 0, 0}, {1, 1, 1}};
  const BatchBuilder maker(data, {0}, none, {.transforms = {{"RandomRotation", {90}}}}, 7);
  std::vector<float> plain(9 * 12 * 3), turned(plain.size());
  ASSERT_TRUE(maker.fill(std::vector<std::int64_t>{0}, 0, false, plain));
  ASSERT_TRUE(maker.fill(std::vector<std::int64_t>{0}, 0, true, turned));
  TransformImage image = made_up();
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_FLOAT_EQ(plain[i], image.hwc[i] / 255.0f);
  apply_transforms(std::vector<Transform>{{"RandomRotation", {90}}}, 7, 0, 0, image);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_FLOAT_EQ(turned[i], image.hwc[i] / 255.0f);
  EXPECT_NE(plain, turned);
  EXPECT_FALSE(maker.samples().has_value()) << "a device would make its own images, without the transforms";
}

TEST(TransformText, NamesAndNumbersAreRead) {
  const auto t = transform_from_text("RandomAffine:degrees=5,shear=2.5");
  ASSERT_TRUE(t) << t.error().str();
  EXPECT_EQ(*t, (Transform{"RandomAffine", {5, 0.1, 0.1, 2.5}}));
  EXPECT_EQ(*transform_from_text("RandAugment"), (Transform{"RandAugment", {2, 9}}));
}
TEST(TransformText, ErrorsAreNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"Warp", "use one of RandomVerticalFlip"},       {"RandomRotation:angle=3", "it has degrees"},
      {"RandomRotation:degrees=300", "from 0 to 180"}, {"RandomRotation:degrees", "from 0 to 180"},
      {"RandAugment:num_ops=1.5", "from 1 to 8"},      {"RandomRotation:degrees=nan", "from 0 to 180"}};
  for (const auto& [words, want] : cases) {
    const auto t = transform_from_text(words);
    ASSERT_FALSE(t) << words;
    EXPECT_EQ(t.error().code, Errc::usage);
    EXPECT_THAT(t.error().str(), testing::HasSubstr(want));
  }
}
TEST(TransformFile, ErrorsAreNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"transforms": [{"type": "Warp"}]})", "Warp"},
      {R"({"transforms": [{"type": "RandomRotation", "degrees": 400}]})", "0 to 180"},
      {R"({"transforms": [{"type": "RandAugment", "num_ops": 2.5}]})", "num_ops"},
      {R"({"transforms": [3]})", "transforms"},
      {R"({"transforms": {}})", "transforms"},
      {R"({"transforms": [{}]})", "type"}};
  for (const auto& [words, want] : cases) {
    const auto s = settings_from_json(Json::parse(words), "file");
    ASSERT_FALSE(s) << words;
    EXPECT_THAT(s.error().str(), testing::HasSubstr(want));
  }
  std::string many = R"({"type": "RandAugment"})";
  for (int i = 0; i < 16; ++i) many += R"(, {"type": "RandAugment"})";
  EXPECT_FALSE(settings_from_json(Json::parse("{\"transforms\": [" + many + "]}"), "file"));
}

}  // namespace
}  // namespace nw
