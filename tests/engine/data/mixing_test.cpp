// SPDX-License-Identifier: Apache-2.0
// mixup and CutMix: the random draws, the mixed images and targets, and that every shard of a batch gets the same
// result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/data/batches/inputs.hpp"
#include "engine/data/sources/sources.hpp"
#include "engine/data/transforms/mixing.hpp"
#include "engine/design/transform.hpp"

namespace nw {
namespace {

Transform always(const char* type, double alpha) { return {type, {1, alpha}}; }

/// The last sample and the first, with which it is mixed, have different classes.
int class_of(int i) { return i == 4 ? 1 : i % 2; }

/// Five samples of 4×6 pixels in two channels, all pixels of sample i are 10 i; two classes.
std::shared_ptr<MemoryDataset> plain_set() {
  auto set = std::make_shared<MemoryDataset>(2, 4, 6);
  set->origins_ = {"plain"};
  for (int i = 0; i < 5; ++i) {
    set->pixels_.insert(set->pixels_.end(), 48, static_cast<std::uint8_t>(10 * i));
    set->labels_.push_back(class_of(i));
  }
  return set;
}

struct Mixed {
  BatchBuilder maker;
  BatchSource source;
  explicit Mixed(std::vector<Transform> transforms, std::int64_t width = 2)
      : maker(plain_set(), {0, 1, 2, 3, 4}, {{0, 0}, {1.0F / 255, 1.0F / 255}}, {.transforms = std::move(transforms)},
              7),
        source{.maker = &maker, .augment = true, .batch = 5, .capacity = 6, .target_width = width} {}
};

TEST(Mixing, DrawsLambdaFromBeta) {
  for (const double alpha : {0.2, 1.0, 4.0}) {
    double sum = 0, squares = 0;
    constexpr int draws = 20000;
    for (int i = 0; i < draws; ++i) {
      const double own = mix_of_batch(std::vector{always("MixUp", alpha)}, 1, 0, i, 4, 4).own;
      EXPECT_GE(own, 0);
      EXPECT_LE(own, 1);
      sum += own;
      squares += own * own;
    }
    const double mean = sum / draws, variance = squares / draws - mean * mean;
    EXPECT_NEAR(mean, 0.5, 0.01) << alpha;
    EXPECT_NEAR(variance, 1 / (4 * (2 * alpha + 1)), 0.005) << alpha;
  }
}

TEST(Mixing, HappensWithItsProbabilityAndTheFirstRowWins) {
  int mixed = 0, cut = 0;
  for (int i = 0; i < 4000; ++i) {
    const Mix m = mix_of_batch(
        std::vector<Transform>{{"MixUp", {0.25, 1}}, {"GaussianBlur", {1, 1}}, {"CutMix", {0.5, 1}}}, 3, 1, i, 8, 8);
    mixed += m.kind == Mix::Kind::mixup;
    cut += m.kind == Mix::Kind::cutmix;
  }
  EXPECT_NEAR(mixed / 4000.0, 0.25, 0.03);
  EXPECT_NEAR(cut / 4000.0, 0.375, 0.03);
}

TEST(Mixing, OfCutMixFollowsTheAreaThatIsLeft) {
  for (int i = 0; i < 500; ++i) {
    const Mix m = mix_of_batch(std::vector{always("CutMix", 1)}, 3, 1, i, 28, 20);
    EXPECT_GE(m.top, 0);
    EXPECT_LE(m.bottom, 28);
    EXPECT_GE(m.left, 0);
    EXPECT_LE(m.right, 20);
    EXPECT_NEAR(m.own, 1 - static_cast<double>((m.bottom - m.top) * (m.right - m.left)) / 560, 1e-6);
  }
}

TEST(Mixing, OfAPreviewIsAlwaysClearlyVisible) {
  for (const double alpha : {0.01, 0.2, 10.0})
    for (int k = 0; k < 200; ++k) {
      const Mix blended = mix_of_preview(std::vector{always("MixUp", alpha)}, 3, k, 28, 20);
      ASSERT_EQ(blended.kind, Mix::Kind::mixup);
      EXPECT_GE(blended.own, 0.35F);
      EXPECT_LE(blended.own, 0.65F);
      const Mix cut = mix_of_preview(std::vector{always("CutMix", alpha)}, 3, k, 28, 20);
      ASSERT_EQ(cut.kind, Mix::Kind::cutmix);
      EXPECT_GE(std::min(cut.top, cut.left), 0);
      EXPECT_LE(cut.bottom, 28);
      EXPECT_LE(cut.right, 20);
      EXPECT_GE(cut.own, 0.45F);
      EXPECT_LE(cut.own, 0.8F);
    }
}

TEST(Mixing, OfAPreviewShowsOneMixtureOfARareMixAndNoneOfAnImpossibleOne) {
  const auto mixed = [](const std::vector<Transform>& rows) {
    int count = 0;
    for (int k = 0; k < 12; ++k) count += mix_of_preview(rows, 5, k, 8, 8).kind != Mix::Kind::none;
    return count;
  };
  EXPECT_GE(mixed({{"MixUp", {0.01, 0.2}}}), 1);
  EXPECT_EQ(mix_of_preview(std::vector<Transform>{{"CutMix", {0.01, 0.2}}}, 5, 0, 8, 8).kind, Mix::Kind::cutmix);
  EXPECT_EQ(mixed({{"MixUp", {0, 0.2}}}), 0);
  EXPECT_EQ(mixed({{"GaussianBlur", {1, 1}}}), 0);
}

TEST(Mixing, BlendsEachSampleWithTheOneBeforeIt) {
  Mixed mixed({always("MixUp", 1)});
  Batches batches(mixed.source, 0, 0, 1);
  const BatchSamples* batch = batches.next();
  ASSERT_EQ(batch->mix.kind, Mix::Kind::mixup);
  const float own = batch->mix.own;
  std::vector<float> images(6 * 48);
  ASSERT_TRUE(BatchInputs(*batch).images(0, 6, images));
  for (int i = 0; i < 5; ++i) {
    const float before = static_cast<float>(10 * ((i + 4) % 5));
    EXPECT_NEAR(images[static_cast<std::size_t>(i * 48 + 13)], own * static_cast<float>(10 * i) + (1 - own) * before,
                1e-4F)
        << i;
    const float one = own * static_cast<float>(class_of(i)) + (1 - own) * static_cast<float>(class_of((i + 4) % 5));
    EXPECT_NEAR(batch->targets[static_cast<std::size_t>(2 * i + 1)], one, 1e-6F) << i;
    EXPECT_NEAR(batch->targets[static_cast<std::size_t>(2 * i)], 1 - one, 1e-6F) << i;
    EXPECT_EQ(batch->labels[static_cast<std::size_t>(i)], class_of(i)) << "a class stays what it is";
  }
  EXPECT_THAT(std::vector(images.end() - 48, images.end()), testing::Each(0.0F));
  EXPECT_EQ(batch->targets[10], 0);
}

TEST(Mixing, PutsARectangleOfTheOneBeforeIntoEach) {
  Mixed mixed({always("CutMix", 1)});
  Batches batches(mixed.source, 0, 0, 40);
  int cut = 0;
  while (const BatchSamples* batch = batches.next()) {
    const Mix& m = batch->mix;
    ASSERT_EQ(m.kind, Mix::Kind::cutmix);
    std::vector<float> images(5 * 48);
    ASSERT_TRUE(BatchInputs(*batch).images(0, 5, images));
    for (std::int64_t i = 0, e = 0; i < 5; ++i)
      for (std::int64_t y = 0; y < 4; ++y)
        for (std::int64_t x = 0; x < 6; ++x)
          for (int c = 0; c < 2; ++c, ++e) {
            const bool inside = y >= m.top && y < m.bottom && x >= m.left && x < m.right;
            cut += inside;
            const std::int64_t from = batch->samples[static_cast<std::size_t>(inside ? (i + 4) % 5 : i)];
            ASSERT_NEAR(images[static_cast<std::size_t>(e)], static_cast<float>(10 * from), 1e-4F);
          }
  }
  EXPECT_GT(cut, 0);
}

TEST(Mixing, DoesNotDependOnTheDivisionOfTheWork) {
  Mixed mixed({always("MixUp", 1), always("CutMix", 1), {"RandomRotation", {90}}});
  mixed.source.shuffle = true;
  Batches batches(mixed.source, 2, 0, 3);
  const BatchSamples* batch = batches.next();
  std::vector<float> whole(6 * 48), parts(6 * 48);
  ASSERT_TRUE(BatchInputs(*batch).images(0, 6, whole));
  for (const auto& [first, count] : {std::pair{0, 2}, std::pair{2, 1}, std::pair{3, 3}})
    ASSERT_TRUE(BatchInputs(*batch).images(
        first, count,
        std::span(parts).subspan(static_cast<std::size_t>(first * 48), static_cast<std::size_t>(count * 48))));
  EXPECT_EQ(whole, parts);
}

TEST(Mixing, LeavesEvaluationAndSingleSamplesUnchanged) {
  Mixed mixed({always("MixUp", 1)});
  mixed.source.augment = false;
  Batches measured(mixed.source, 0, 0, 1);
  EXPECT_EQ(measured.next()->mix.kind, Mix::Kind::none);
  mixed.source.augment = true;
  mixed.source.batch = 1;
  Batches alone(mixed.source, 0, 0, 1);
  const BatchSamples* batch = alone.next();
  std::vector<float> image(48);
  ASSERT_TRUE(BatchInputs(*batch).images(0, 1, image));
  EXPECT_THAT(image, testing::Each(0.0F));
  EXPECT_THAT(std::vector(batch->targets.begin(), batch->targets.begin() + 2), testing::ElementsAre(1.0F, 0.0F));
}

TEST(Mixing, ExcludesLookupOnTheDevice) {
  EXPECT_TRUE(Mixed({}).maker.samples());
  EXPECT_FALSE(Mixed({always("CutMix", 1)}).maker.samples());
}

}  // namespace
}  // namespace nw
