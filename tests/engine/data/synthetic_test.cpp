// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

std::vector<std::uint8_t> image(const Dataset& set, std::int64_t i) {
  std::vector<std::uint8_t> out(static_cast<std::size_t>(set.bytes()));
  EXPECT_TRUE(set.pixels(i, out));
  return out;
}

TEST(SyntheticDigits, AreWhiteOnBlackInTenClasses) {
  const OpenedData d = make_synthetic(600, 200);
  EXPECT_EQ(d.train->size(), 600);
  EXPECT_EQ(d.test->size(), 200);
  EXPECT_EQ(d.train->height(), 28);
  EXPECT_EQ(d.train->width(), 28);
  EXPECT_EQ(d.train->channels(), 1);
  EXPECT_EQ(d.classes.size(), 10u);
  std::vector<int> counts(10, 0);
  for (std::int64_t i = 0; i < 600; ++i) {
    ++counts[static_cast<std::size_t>(d.train->label(i))];
    const auto pixels = image(*d.train, i);
    EXPECT_GT(*std::max_element(pixels.begin(), pixels.end()), 180) << i;
    const auto black = std::count(pixels.begin(), pixels.end(), 0),
               bright = std::count_if(pixels.begin(), pixels.end(), [](std::uint8_t v) { return v > 128; });
    EXPECT_GT(black, 784 / 2) << i;
    EXPECT_GT(bright, 15) << i;
  }
  for (const int n : counts) EXPECT_GT(n, 30);
}
TEST(SyntheticDigits, AreTheSameForTheSameIndexHoweverManyAreMade) {
  const OpenedData few = make_synthetic(50, 20), many = make_synthetic(80, 30);
  for (std::int64_t i = 0; i < 50; ++i) EXPECT_EQ(image(*few.train, i), image(*many.train, i));
  for (std::int64_t i = 0; i < 20; ++i) EXPECT_EQ(few.test->label(i), many.test->label(i));
}
TEST(SyntheticDigits, AreAllDifferentAndTestImagesAreNoTrainingImages) {
  const OpenedData d = make_synthetic(500, 200);
  std::set<std::vector<std::uint8_t>> seen;
  for (std::int64_t i = 0; i < 500; ++i) seen.insert(image(*d.train, i));
  for (std::int64_t i = 0; i < 200; ++i) seen.insert(image(*d.test, i));
  EXPECT_EQ(seen.size(), 700u);
}
/// The data set is neither trivial nor noise: nearest neighbours in pixel space classify most samples correctly, but
/// far from all.
TEST(SyntheticDigits, CanBeToldApartButNotByPixelsAlone) {
  const OpenedData d = make_synthetic(1000, 200);
  int right = 0;
  for (std::int64_t t = 0; t < 200; ++t) {
    const auto asked = image(*d.test, t);
    std::int64_t best = -1;
    std::uint64_t least = ~0ull;
    for (std::int64_t i = 0; i < 1000; ++i) {
      const auto other = image(*d.train, i);
      std::uint64_t distance = 0;
      for (std::size_t p = 0; p < asked.size(); ++p)
        distance += static_cast<std::uint64_t>((asked[p] - other[p]) * (asked[p] - other[p]));
      if (distance < least) {
        least = distance;
        best = i;
      }
    }
    right += d.train->label(best) == d.test->label(t);
  }
  EXPECT_GT(right, 120);
  EXPECT_LT(right, 197);
}

}  // namespace
}  // namespace nw
