// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "engine/data/batches/batch.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

constexpr std::int64_t channels = 3, height = 6, width = 5;

/// Pixel (y, x, c) of image n is 1 + n + 40 y + 7 x + c: all positions differ, and no value is zero.
std::uint8_t pixel(std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t c) {
  return static_cast<std::uint8_t>(1 + n + 40 * y + 7 * x + c);
}

std::shared_ptr<MemoryDataset> images(std::int64_t count) {
  auto set = std::make_shared<MemoryDataset>(channels, height, width);
  for (std::int64_t n = 0; n < count; ++n) {
    set->labels_.push_back(n % 4);
    for (std::int64_t y = 0; y < height; ++y)
      for (std::int64_t x = 0; x < width; ++x)
        for (std::int64_t c = 0; c < channels; ++c) set->pixels_.push_back(pixel(n, y, x, c));
  }
  return set;
}
std::vector<std::int64_t> numbers(std::int64_t n) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}
const Normalization none{{0, 0, 0}, {1, 1, 1}};
const Normalization some{{0.1f, 0.2f, 0.3f}, {0.5f, 0.25f, 2.0f}};

std::vector<float> fill(const BatchBuilder& maker, std::vector<std::int64_t> samples, std::int64_t epoch,
                        bool augment) {
  std::vector<float> out(samples.size() * channels * height * width, -99);
  EXPECT_TRUE(maker.fill(samples, epoch, augment, out));
  return out;
}
float at(const std::vector<float>& images, std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t c) {
  return images[static_cast<std::size_t>(((n * height + y) * width + x) * channels + c)];
}

TEST(BatchOrder, VisitsEveryIndexOnceAnEpochAndDiffersByEpochAndSeed) {
  std::vector<std::int64_t> indices = numbers(1000);
  for (std::int64_t& i : indices) i = 2 * i + 5;
  const BatchBuilder maker(images(1), indices, none, {}, 1), other(images(1), indices, none, {}, 2);
  std::vector<std::int64_t> first, again, second, elsewhere, plain;
  maker.order(0, true, first);
  maker.order(0, true, again);
  maker.order(1, true, second);
  other.order(0, true, elsewhere);
  maker.order(3, false, plain);
  EXPECT_EQ(first, again);
  EXPECT_NE(first, second);
  EXPECT_NE(first, elsewhere);
  EXPECT_EQ(plain, indices);
  EXPECT_NE(first, indices);
  std::sort(first.begin(), first.end());
  EXPECT_EQ(first, indices);
}
TEST(BatchOrder, IsTheSameOnEveryMachine) {
  std::vector<std::int64_t> order;
  BatchBuilder(images(1), numbers(10), none, {}, 42).order(3, true, order);
  EXPECT_THAT(order, testing::ElementsAre(9, 8, 4, 7, 5, 3, 0, 1, 6, 2));
}
TEST(BatchOrder, PutsEveryIndexEverywhere) {
  std::map<std::int64_t, int> first_places;
  const BatchBuilder maker(images(1), numbers(5), none, {}, 9);
  std::vector<std::int64_t> order;
  for (std::int64_t epoch = 0; epoch < 5000; ++epoch) {
    maker.order(epoch, true, order);
    ++first_places[order[0]];
  }
  for (const auto& [index, count] : first_places) EXPECT_NEAR(count, 1000, 120) << index;  // 4 standard deviations
}

TEST(BatchFill, NormalisesEachChannelInPlace) {
  const auto set = images(7);
  const BatchBuilder maker(set, numbers(7), some, {}, 1);
  const auto out = fill(maker, {6, 2, 2}, 0, false);
  for (std::int64_t k = 0; k < 3; ++k)
    for (std::int64_t y = 0; y < height; ++y)
      for (std::int64_t x = 0; x < width; ++x)
        for (std::int64_t c = 0; c < channels; ++c) {
          const float v = static_cast<float>(pixel(k == 0 ? 6 : 2, y, x, c)) / 255.0f;
          ASSERT_FLOAT_EQ(at(out, k, y, x, c),
                          (v - some.mean[static_cast<std::size_t>(c)]) / some.deviation[static_cast<std::size_t>(c)]);
        }
  EXPECT_EQ(maker.label(6), 2);
}
TEST(BatchFill, TakesGreyImagesToo) {
  auto grey = std::make_shared<MemoryDataset>(1, 2, 2);
  grey->pixels_ = {0, 51, 102, 255};
  grey->labels_ = {0};
  std::vector<float> out(4);
  ASSERT_TRUE(BatchBuilder(grey, {0}, {{0.5f}, {0.5f}}, {}, 0).fill(std::vector<std::int64_t>{0}, 0, false, out));
  EXPECT_THAT(out, testing::Pointwise(testing::FloatEq(), {-1.0f, -0.6f, -0.2f, 1.0f}));
}
TEST(BatchFill, WithoutAugmentationLeavesImagesUnchanged) {
  const BatchBuilder maker(images(3), numbers(3), some, {.random_crop = true, .horizontal_flip = true}, 1);
  EXPECT_EQ(fill(maker, {0, 1, 2}, 0, false), fill(maker, {0, 1, 2}, 5, false));
}

/// The offset at which an augmented image was cropped, derived from its pixels; `found` is false if it is not a crop
/// of image n.
struct Cut {
  std::int64_t dy = 0, dx = 0;
  bool mirror = false;
  bool found = false;
};
Cut find_cut(const std::vector<float>& out, std::int64_t k, std::int64_t n, std::int64_t pad) {
  for (const bool mirror : {false, true})
    for (std::int64_t dy = -pad; dy <= pad; ++dy)
      for (std::int64_t dx = -pad; dx <= pad; ++dx) {
        bool same = true;
        for (std::int64_t y = 0; y < height && same; ++y)
          for (std::int64_t x = 0; x < width && same; ++x)
            for (std::int64_t c = 0; c < channels && same; ++c) {
              const std::int64_t sy = y + dy, sx = (mirror ? width - 1 - x : x) + dx;
              const bool inside = sy >= 0 && sy < height && sx >= 0 && sx < width;
              const float raw = inside ? static_cast<float>(pixel(n, sy, sx, c)) / 255.0f : 0.0f;
              same = at(out, k, y, x, c) ==
                     (raw - some.mean[static_cast<std::size_t>(c)]) / some.deviation[static_cast<std::size_t>(c)];
            }
        if (same) return {dy, dx, mirror, true};
      }
  return {};
}

TEST(Augmentation, CropsAnywhereWithBlackPaddingBeforeNormalization) {
  const BatchBuilder maker(images(40), numbers(40), some, {.random_crop = true, .crop_padding = 2}, 11);
  std::set<std::pair<std::int64_t, std::int64_t>> places;
  for (std::int64_t epoch = 0; epoch < 10; ++epoch) {
    const auto out = fill(maker, numbers(40), epoch, true);
    for (std::int64_t n = 0; n < 40; ++n) {
      const Cut cut = find_cut(out, n, n, 2);
      ASSERT_TRUE(cut.found) << "image " << n << " of epoch " << epoch << " is no crop of its original";
      EXPECT_FALSE(cut.mirror);
      places.emplace(cut.dy, cut.dx);
    }
  }
  EXPECT_EQ(places.size(), 25u);
}
TEST(Augmentation, MirrorsHalfOfTheImages) {
  const BatchBuilder maker(images(50), numbers(50), some, {.random_crop = false, .horizontal_flip = true}, 3);
  int mirrored = 0;
  for (std::int64_t epoch = 0; epoch < 20; ++epoch) {
    const auto out = fill(maker, numbers(50), epoch, true);
    for (std::int64_t n = 0; n < 50; ++n) {
      const Cut cut = find_cut(out, n, n, 0);
      ASSERT_TRUE(cut.found);
      mirrored += cut.mirror;
    }
  }
  EXPECT_NEAR(mirrored, 500, 65);  // 4 standard deviations
}
TEST(Augmentation, DependsOnlyOnSeedEpochAndImage) {
  const Augmentation both{.random_crop = true, .crop_padding = 2, .horizontal_flip = true};
  const BatchBuilder maker(images(8), numbers(8), some, both, 5), other(images(8), numbers(8), some, both, 6);
  const auto whole = fill(maker, numbers(8), 4, true);
  for (std::int64_t n = 0; n < 8; ++n) {
    const auto alone = fill(maker, {n}, 4, true);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), whole.begin() + n * static_cast<std::int64_t>(alone.size())));
  }
  EXPECT_NE(whole, fill(maker, numbers(8), 5, true));
  EXPECT_NE(whole, fill(other, numbers(8), 4, true));
}

}  // namespace
}  // namespace nw
