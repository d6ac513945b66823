// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "engine/data/batches/batch.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/data/data_hash.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/sources.hpp"
#include "engine/data/split/split.hpp"

namespace nw {
namespace {

/// `count` one-pixel images; the proportion of class k grows with k.
OpenedData uneven(std::int64_t count, bool with_test) {
  OpenedData d;
  const auto make = [](std::int64_t n) {
    auto set = std::make_shared<MemoryDataset>(1, 1, 1);
    for (std::int64_t i = 0; i < n; ++i) {
      set->labels_.push_back(static_cast<std::int64_t>(std::sqrt(static_cast<double>((i * 37) % 100))));
      set->pixels_.push_back(static_cast<std::uint8_t>(i % 256));
    }
    return set;
  };
  d.train = make(count);
  if (with_test) d.test = make(count / 5);
  for (char c = '0'; c <= '9'; ++c) d.classes.emplace_back(1, c);
  return d;
}
std::map<std::int64_t, int> count_classes(const Dataset& set, const std::vector<std::int64_t>& indices) {
  std::map<std::int64_t, int> counts;
  for (const std::int64_t i : indices) ++counts[set.label(i)];
  return counts;
}

TEST(Split, TakesEveryImageExactlyOnce) {
  const OpenedData d = uneven(1000, false);
  for (const bool stratified : {true, false}) {
    const auto s = split_data(d, {.validation_fraction = 0.2, .test_fraction = 0.1, .stratified = stratified});
    ASSERT_TRUE(s);
    EXPECT_TRUE(s->test_from_train);
    std::set<std::int64_t> all;
    for (const auto* part : {&s->train, &s->validation, &s->test}) {
      EXPECT_TRUE(std::is_sorted(part->begin(), part->end()));
      all.insert(part->begin(), part->end());
    }
    EXPECT_EQ(all.size(), 1000u);
    EXPECT_EQ(s->train.size() + s->validation.size() + s->test.size(), 1000u);
    EXPECT_NEAR(static_cast<double>(s->test.size()), 100, 6);
    EXPECT_NEAR(static_cast<double>(s->validation.size()), 180, 6);
  }
}
TEST(Split, GivesEveryClassItsShare) {
  const OpenedData d = uneven(2000, true);
  const auto s = split_data(d, {.validation_fraction = 0.25, .stratified = true});
  ASSERT_TRUE(s);
  EXPECT_FALSE(s->test_from_train);
  EXPECT_EQ(s->test.size(), 400u);
  const auto train = count_classes(*d.train, s->train), validation = count_classes(*d.train, s->validation);
  EXPECT_EQ(validation.size(), 10u);
  for (const auto& [label, n] : validation) EXPECT_EQ(n, std::lround(0.25 * (n + train.at(label)))) << label;
}
TEST(Split, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const OpenedData d = uneven(500, true);
  const auto a = split_data(d, {.split_seed = 3}), b = split_data(d, {.split_seed = 3}),
             c = split_data(d, {.split_seed = 4});
  EXPECT_EQ(a->validation, b->validation);
  EXPECT_NE(a->validation, c->validation);
}
TEST(Split, IsTheSameOnEveryMachine) {
  const auto s = split_data(uneven(100, true), {.validation_fraction = 0.1, .stratified = false, .split_seed = 7});
  EXPECT_THAT(s->validation, testing::ElementsAre(12, 21, 37, 43, 52, 60, 66, 81, 87, 90));
}
TEST(Split, RejectsInvalidFractions) {
  const OpenedData d = uneven(100, true);
  for (const double bad : {-0.1, 1.0, 1.5, std::nan("")})
    EXPECT_FALSE(split_data(d, {.validation_fraction = bad})) << bad;
  EXPECT_TRUE(split_data(d, {.validation_fraction = 0}));
}

TEST(DataHash, ChangesWithAnyPixelLabelOrSize) {
  const OpenedData d = uneven(50, true);
  const std::uint64_t whole = *data_hash(d);
  EXPECT_EQ(whole, *data_hash(uneven(50, true)));
  OpenedData other = uneven(50, true);
  auto copy = std::make_shared<MemoryDataset>(static_cast<const MemoryDataset&>(*other.train));
  other.train = copy;
  ++copy->pixels_[17];
  EXPECT_NE(whole, *data_hash(other));
  --copy->pixels_[17];
  EXPECT_EQ(whole, *data_hash(other));
  ++copy->labels_[3];
  EXPECT_NE(whole, *data_hash(other));
  EXPECT_NE(whole, *data_hash(uneven(51, true)));
  EXPECT_NE(whole, *data_hash(uneven(50, false)));
}

TEST(NormalizationOfPixels, IsMeanAndDeviationOfEachChannel) {
  MemoryDataset set(2, 1, 2);
  set.labels_ = {0, 0};
  set.pixels_ = {0, 10, 255, 10, 100, 10, 51, 10};
  const std::vector<std::int64_t> first{0}, both{0, 1};
  EXPECT_FLOAT_EQ(measure_normalization(set, first)->mean[0], 0.5f);
  const auto n = measure_normalization(set, both);
  const double mean = (0 + 255 + 100 + 51) / 4.0, squares = (255.0 * 255 + 100 * 100 + 51 * 51) / 4;
  EXPECT_FLOAT_EQ(n->mean[0], static_cast<float>(mean / 255));
  EXPECT_FLOAT_EQ(n->deviation[0], static_cast<float>(std::sqrt(squares - mean * mean) / 255));
  EXPECT_FLOAT_EQ(n->mean[1], 10.0f / 255);
  EXPECT_FLOAT_EQ(n->deviation[1], 1.0f) << "a constant channel is not divided by zero";
}

TEST(NormalizationOfPixels, DoesNotOverflowWithManyBrightImages) {
  constexpr std::size_t images = 150000;  // the sum of squares of one pixel exceeds 32 bits
  MemoryDataset set(1, 1, 1);
  set.labels_.assign(images, 0);
  set.pixels_.assign(images, 255);
  set.pixels_.back() = 0;
  std::vector<std::int64_t> all(images);
  std::iota(all.begin(), all.end(), 0);
  const auto n = measure_normalization(set, all);
  const double mean = 255.0 * (images - 1) / images;
  EXPECT_NEAR(n->mean[0], mean / 255, 1e-6);
  EXPECT_NEAR(n->deviation[0], std::sqrt(255 * mean - mean * mean) / 255, 1e-5);
}

}  // namespace
}  // namespace nw
