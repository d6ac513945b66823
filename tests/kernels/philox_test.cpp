// SPDX-License-Identifier: Apache-2.0
#include "kernels/math/philox.hpp"

#include <gtest/gtest.h>

namespace nw {
namespace {

void expect_words(PhiloxBlock counter, std::uint32_t key0, std::uint32_t key1, PhiloxBlock wanted) {
  const PhiloxBlock got = philox(counter, key0, key1);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(got.v[i], wanted.v[i]) << "word " << i;
}

// The known answers published with Random123 (kat_vectors, philox4x32 with 10 rounds).
TEST(Philox, GivesThePublishedWordsForZeros) {
  expect_words({{0, 0, 0, 0}}, 0, 0, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
}
TEST(Philox, GivesThePublishedWordsForOnes) {
  const std::uint32_t f = 0xffffffff;
  expect_words({{f, f, f, f}}, f, f, {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
}
TEST(Philox, GivesThePublishedWordsForTheDigitsOfPi) {
  expect_words({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0,
               {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}
TEST(Philox, UnitFloatsStayBelowOne) {
  EXPECT_EQ(unit_float(0), 0.0f);
  EXPECT_LT(unit_float(0xffffffffu), 1.0f);
}
TEST(Philox, SamplesOperationsAndEpochsDrawDifferentNumbers) {
  const RandomKey a{1, 2, 3, 4};
  EXPECT_NE(philox_block(a, 0).v[0], philox_block({2, 2, 3, 4}, 0).v[0]);
  EXPECT_NE(philox_block(a, 0).v[0], philox_block({1, 3, 3, 4}, 0).v[0]);
  EXPECT_NE(philox_block(a, 0).v[0], philox_block({1, 2, 4, 4}, 0).v[0]);
  EXPECT_NE(philox_block(a, 0).v[0], philox_block({1, 2, 3, 5}, 0).v[0]);
  EXPECT_NE(philox_block(a, 0).v[0], philox_block(a, 1).v[0]);
}

}  // namespace
}  // namespace nw
