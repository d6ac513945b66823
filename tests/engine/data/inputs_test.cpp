// SPDX-License-Identifier: Apache-2.0
// The formats in which an executable accepts images: all give the same values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/batches/inputs.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsNull;

constexpr std::int64_t images = 6, image_bytes = 3 * 2 * 2;
const Normalization normalization{{0.25F, 0.5F}, {0.125F, 2.0F}};

/// Six samples of 3×2 pixels in two channels, all bytes different; three classes.
std::shared_ptr<MemoryDataset> small_set() {
  auto set = std::make_shared<MemoryDataset>(2, 3, 2);
  set->origins_ = {"small"};
  for (std::int64_t i = 0; i < images * image_bytes; ++i) set->pixels_.push_back(static_cast<std::uint8_t>(3 * i));
  for (std::int64_t i = 0; i < images; ++i) set->labels_.push_back(i % 3);
  return set;
}

BatchBuilder maker_of(Augmentation augmentation = {}) {
  return BatchBuilder(small_set(), {0, 1, 2, 3, 4, 5}, normalization, std::move(augmentation), 3);
}

std::vector<float> images_of(const StepInputs& inputs, std::int64_t first, std::int64_t count) {
  std::vector<float> nhwc(static_cast<std::size_t>(count * image_bytes), -7.0F);
  EXPECT_TRUE(inputs.images(first, count, nhwc));
  return nhwc;
}

template <class T>
std::vector<T> listed(std::span<const T> all) {
  return {all.begin(), all.end()};
}

/// The values of samples [0, count), computed from bytes() and scales().
std::vector<float> scaled_bytes_of(const StepInputs& inputs, std::int64_t count) {
  std::vector<float> nhwc;
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t e = 0; e < image_bytes; ++e) {
      const PixelScale& s = inputs.scales()[static_cast<std::size_t>(e % 2)];
      nhwc.push_back((static_cast<float>(inputs.bytes(i)[e]) / 255.0F - s.mean) / s.deviation);
    }
  return nhwc;
}

TEST(Inputs, BytesWithTheirScalesAreTheImages) {
  const BatchBuilder maker = maker_of();
  const std::vector<std::int64_t> chosen{4, 0, 5};
  const BatchSamples batch = samples_of(maker, chosen);
  const BatchInputs samples(batch);
  EXPECT_EQ(images_of(samples, 0, 3), scaled_bytes_of(samples, 3));
  const auto set = small_set();
  const std::vector<PixelScale> scales = pixel_scales(normalization, 2);
  const PixelInputs pixels(std::span(set->pixels_).subspan(4 * image_bytes, image_bytes), image_bytes, scales);
  EXPECT_EQ(images_of(pixels, 0, 1), scaled_bytes_of(pixels, 1));
  EXPECT_EQ(images_of(pixels, 0, 1), images_of(samples, 0, 1)) << "both are sample 4";
}

TEST(Inputs, ANormalizationThatLacksAChannelLeavesItAsItIs) {
  EXPECT_THAT(pixel_scales({{0.5F}, {}}, 2), ElementsAre(PixelScale{0.5F, 1.0F}, PixelScale{0.0F, 1.0F}));
}

TEST(Inputs, ImagesThatAreChangedHaveNoBytes) {
  const BatchBuilder mirrored = maker_of({.horizontal_flip = true});
  BatchSamples batch = samples_of(mirrored, std::vector<std::int64_t>{1, 2});
  EXPECT_NE(BatchInputs(batch).bytes(0), nullptr) << "not augmented";
  batch.augment = true;
  EXPECT_THAT(BatchInputs(batch).bytes(0), IsNull());
  const BatchBuilder plain = maker_of();
  BatchSamples mixed = samples_of(plain, std::vector<std::int64_t>{1, 2});
  mixed.mix = {.kind = Mix::Kind::mixup, .own = 0.5F};
  EXPECT_THAT(BatchInputs(mixed).bytes(0), IsNull());
  mixed.valid = 1;
  EXPECT_NE(BatchInputs(mixed).bytes(0), nullptr) << "there is nothing to mix it with";
}

TEST(Inputs, AShardReadsItsOwnSamplesLabelsAndTargets) {
  const BatchBuilder maker = maker_of();
  Batches batches({.maker = &maker, .batch = 6, .capacity = 8, .target_width = 3}, 0, 0, 1);
  const BatchSamples& batch = *batches.next();
  const BatchInputs first(batch, 0, 4, nullptr), second(batch, 4, 4, nullptr);
  EXPECT_THAT(listed(first.labels()), ElementsAre(0, 1, 2, 0));
  EXPECT_THAT(listed(second.labels()), ElementsAre(1, 2, 0, 0));
  EXPECT_THAT(listed(second.targets().first(6)), ElementsAre(0, 1, 0, 0, 0, 1));
  EXPECT_EQ(images_of(second, 1, 1), images_of(BatchInputs(batch), 5, 1));
  EXPECT_THAT(images_of(second, 2, 2), Each(0.0F)) << "behind the last valid sample";
}

TEST(Inputs, WithoutLabelsHaveNone) {
  const BatchBuilder maker = maker_of();
  const BatchSamples batch = samples_of(maker, std::vector<std::int64_t>{3});
  EXPECT_TRUE(BatchInputs(batch).labels().empty());
  EXPECT_TRUE(BatchInputs(batch).targets().empty());
}

TEST(Inputs, PaddingAfterTheLastSampleIsZero) {
  const std::vector<float> numbers(static_cast<std::size_t>(2 * image_bytes), 5.0F);
  const NumberInputs two(numbers, image_bytes);
  EXPECT_THAT(images_of(two, 1, 1), Each(5.0F));
  const std::vector<float> beyond = images_of(two, 1, 2);
  EXPECT_THAT(std::vector(beyond.begin() + image_bytes, beyond.end()), Each(0.0F));
  EXPECT_THAT(images_of(two, 5, 1), Each(0.0F));
  const std::vector<std::uint8_t> bytes(static_cast<std::size_t>(image_bytes), 255);
  const std::vector<PixelScale> scales = pixel_scales(normalization, 2);
  EXPECT_THAT(images_of(PixelInputs(bytes, image_bytes, scales), 1, 1), Each(0.0F));
}

}  // namespace
}  // namespace nw
