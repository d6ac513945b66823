// SPDX-License-Identifier: Apache-2.0
// The data check finds the planted defects and reports nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "engine/data/checks/data_check.hpp"
#include "engine/data/checks/similarity.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

constexpr std::int64_t side = 32, each = side * side * 3;

/// Forty overlapping rectangles of random colours: edges like those of photographs.
std::vector<std::uint8_t> scene(unsigned seed) {
  std::mt19937 g(seed);
  std::vector<std::uint8_t> out(static_cast<std::size_t>(each), 128);
  for (int r = 0; r < 40; ++r) {
    const std::int64_t top = g() % side, left = g() % side, bottom = std::min<std::int64_t>(side, top + 2 + g() % 12),
                       right = std::min<std::int64_t>(side, left + 2 + g() % 12);
    const std::array<std::uint8_t, 3> colour{static_cast<std::uint8_t>(g()), static_cast<std::uint8_t>(g()),
                                             static_cast<std::uint8_t>(g())};
    for (std::int64_t y = top; y < bottom; ++y)
      for (std::int64_t x = left; x < right; ++x)
        std::copy(colour.begin(), colour.end(), out.begin() + (y * side + x) * 3);
  }
  return out;
}

std::uint8_t byte(double v) { return static_cast<std::uint8_t>(std::clamp(v, 0.0, 255.0)); }

/// A crop of the scene, two pixels smaller, scaled back to the full size by the mean of the nearest four pixels.
std::vector<std::uint8_t> cropped(const std::vector<std::uint8_t>& s) {
  std::vector<std::uint8_t> out(s);
  for (std::int64_t y = 0; y < side; ++y)
    for (std::int64_t x = 0; x < side; ++x)
      for (std::int64_t c = 0; c < 3; ++c) {
        const double v = 2 + (static_cast<double>(y) + 0.5) * (side - 2) / side - 0.5,
                     u = (static_cast<double>(x) + 0.5) * (side - 2) / side - 0.5;
        const auto top = std::clamp<std::int64_t>(static_cast<std::int64_t>(v), 0, side - 2),
                   left = std::clamp<std::int64_t>(static_cast<std::int64_t>(u), 0, side - 2);
        const double dy = std::clamp(v - static_cast<double>(top), 0.0, 1.0),
                     dx = std::clamp(u - static_cast<double>(left), 0.0, 1.0);
        const auto at = [&](std::int64_t py, std::int64_t px) {
          return static_cast<double>(s[static_cast<std::size_t>((py * side + px) * 3 + c)]);
        };
        out[static_cast<std::size_t>((y * side + x) * 3 + c)] =
            byte((1 - dy) * ((1 - dx) * at(top, left) + dx * at(top, left + 1)) +
                 dy * ((1 - dx) * at(top + 1, left) + dx * at(top + 1, left + 1)));
      }
  return out;
}

/// A near-duplicate of the scene: contrast changed (0), noise added (1), shifted by a pixel (2) or quantized (3).
std::vector<std::uint8_t> again(const std::vector<std::uint8_t>& s, int way, unsigned seed) {
  std::mt19937 g(seed);
  std::vector<std::uint8_t> out(s);
  for (std::int64_t i = 0; i < each; ++i) {
    const std::int64_t x = i / 3 % side;
    double v = s[static_cast<std::size_t>(i)];
    if (way == 0) v = 0.85 * v + 20;
    if (way == 1) v += static_cast<double>(g() % 13) - 6;
    if (way == 2 && x + 1 < side) v = s[static_cast<std::size_t>(i + 3)];
    if (way == 3) v = std::round(v / 12) * 12;
    out[static_cast<std::size_t>(i)] = byte(v);
  }
  return out;
}

struct Data {
  std::shared_ptr<MemoryDataset> train = std::make_shared<MemoryDataset>(3, side, side),
                                 test = std::make_shared<MemoryDataset>(3, side, side);
  static void add(MemoryDataset& set, const std::vector<std::uint8_t>& image, std::int64_t label) {
    set.pixels_.insert(set.pixels_.end(), image.begin(), image.end());
    set.labels_.push_back(label);
  }
  std::vector<CheckedSplit> parts() const {
    std::vector<CheckedSplit> all;
    for (const auto& [name, set] : {std::pair{"train", train}, std::pair{"test", test}}) {
      CheckedSplit p{name, set, std::vector<std::int64_t>(static_cast<std::size_t>(set->size()))};
      std::iota(p.indices.begin(), p.indices.end(), std::int64_t{0});
      all.push_back(std::move(p));
    }
    return all;
  }
};

/// A data set without defects: 400 training and 100 test scenes of four classes.
Data clean() {
  Data d;
  for (unsigned i = 0; i < 500; ++i) Data::add(i < 400 ? *d.train : *d.test, scene(i), i % 4);
  return d;
}

TEST(DataCheck, FindsNothingInFaultlessData) {
  const Data d = clean();
  const auto r = find_defects(d.parts(), 4);
  ASSERT_TRUE(r) << r.error().str();
  EXPECT_EQ(r->images, 500);
  EXPECT_TRUE(r->defects.empty()) << name_of(r->defects[0].kind);
}

TEST(DataCheck, FindsTheSameImageInTrainingAndTestAndSaysThatLabelsContradict) {
  Data d = clean();
  for (unsigned i = 0; i < 20; ++i) Data::add(*d.test, scene(i), (i + (i < 5)) % 4);
  const auto r = find_defects(d.parts(), 4);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->count(DefectKind::duplicate), 20);
  EXPECT_EQ(r->count(DefectKind::near_duplicate), 0) << "told once";
  int contradict = 0;
  for (const Defect& defect : r->defects) {
    EXPECT_TRUE(defect.across);
    ASSERT_EQ(defect.samples.size(), 2u);
    EXPECT_EQ(defect.samples[0].index + 100, defect.samples[1].index);
    contradict += defect.contradicts;
  }
  EXPECT_EQ(contradict, 5);
  EXPECT_TRUE(r->defects[0].contradicts) << "the worst come first";
}

TEST(DataCheck, FindsImagesThatWereSavedAgain) {
  Data d = clean();
  for (unsigned i = 0; i < 40; ++i)
    Data::add(i % 2 ? *d.test : *d.train, again(scene(7 * i), static_cast<int>(i % 4), i), 7 * i % 4);
  const auto r = find_defects(d.parts(), 4);
  ASSERT_TRUE(r);
  EXPECT_GE(r->count(DefectKind::near_duplicate), 39);
  EXPECT_LE(r->count(DefectKind::near_duplicate), 41);
  for (const Defect& defect : r->defects) EXPECT_GE(defect.likeness, similarity_threshold);
}

TEST(DataCheck, FindsImagesThatWereCroppedAndStretchedAgain) {
  Data d = clean();
  for (unsigned i = 0; i < 40; ++i) Data::add(*d.test, cropped(scene(7 * i)), 7 * i % 4);
  const auto r = find_defects(d.parts(), 4);
  ASSERT_TRUE(r);
  EXPECT_GE(r->count(DefectKind::near_duplicate), 32)
      << "the hard edges of these scenes change more than those of photos, of which 97 % are found";
  EXPECT_LE(r->count(DefectKind::near_duplicate), 41);
}

TEST(DataCheck, FindsBlankImagesSmallClassesAndUselessChannels) {
  Data d;
  for (unsigned i = 0; i < 60; ++i) {
    auto image = scene(i);
    for (std::size_t p = 0; p < image.size(); p += 3) image[p + 2] = 9;
    Data::add(*d.train, image, i % 2);
    for (std::size_t p = 0; p < image.size(); p += 3) image[p + 1] = image[p + 2] = image[p];
    Data::add(*d.test, image, i % 2);
  }
  Data::add(*d.test, std::vector<std::uint8_t>(each, 7), 1);
  Data::add(*d.test, std::vector<std::uint8_t>(each, 7), 0);
  const auto r = find_defects(d.parts(), 3);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->count(DefectKind::blank), 2);
  EXPECT_EQ(r->count(DefectKind::duplicate), 0) << "blank ones are told as blank";
  EXPECT_EQ(r->count(DefectKind::small_class), 2) << "class 2, in both parts";
  ASSERT_EQ(r->count(DefectKind::constant_channel), 1);
  EXPECT_EQ(r->count(DefectKind::grey_in_colour), 1);
  for (const Defect& defect : r->defects) {
    if (defect.kind == DefectKind::constant_channel) {
      EXPECT_EQ(std::pair(defect.part, defect.which), std::pair(0, std::int64_t{2}));
    }
    if (defect.kind == DefectKind::grey_in_colour) { EXPECT_EQ(defect.part, 1); }
  }
}

TEST(DataCheck, CanBeCancelled) {
  const Data d = clean();
  const auto r = find_defects(d.parts(), 4, [](double done) { return done < 0.3; });
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().code, Errc::stopped);
}

TEST(ImageSimilarity, IsOneForTheSameAndLowForOthers) {
  const Look a = comparison_image(scene(1), side, side, 3), b = comparison_image(scene(2), side, side, 3);
  EXPECT_NEAR(likeness(a, a), 1, 1e-5);
  EXPECT_LT(likeness(a, b), 0.5);
  EXPECT_EQ(likeness(a, Look{}), 0);
}

TEST(ImageSimilarity, ImagesOfAnySizeAreCompared) {
  std::vector<std::uint8_t> large;
  const auto small = scene(3);
  for (std::int64_t y = 0; y < 96; ++y)
    for (std::int64_t x = 0; x < 96; ++x)
      for (std::int64_t c = 0; c < 3; ++c)
        large.push_back(small[static_cast<std::size_t>(((y / 3) * side + x / 3) * 3 + c)]);
  EXPECT_NEAR(likeness(comparison_image(small, side, side, 3), comparison_image(large, 96, 96, 3)), 1, 1e-4);
  EXPECT_EQ(perceptual_hash(comparison_image(std::vector<std::uint8_t>{5}, 1, 1, 1)),
            perceptual_hash(comparison_image(std::vector<std::uint8_t>(4, 5), 2, 2, 1)));
}

}  // namespace
}  // namespace nw
