// SPDX-License-Identifier: Apache-2.0
// Sixteen-bit numbers against their definitions: every pattern converted to float and back, and rounding to the nearest
// number for values between two of them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "kernels/math/half.hpp"

namespace nw::math {
namespace {

/// The value of a binary16 pattern, from the format's definition.
double value_of(std::uint16_t pattern) {
  const int exponent = pattern >> 10 & 31, digits = pattern & 0x3FF;
  const double size = exponent == 0 ? digits * 0x1p-24 : std::ldexp(1024 + digits, exponent - 25);
  return pattern & 0x8000 ? -size : size;
}
constexpr std::uint16_t infinite = 0x7C00;

TEST(HalfNumbers, EveryFp16BitPatternRoundTrips) {
  for (std::uint32_t p = 0; p < 0x10000; ++p) {
    const auto pattern = static_cast<std::uint16_t>(p);
    const float f = f16_value(pattern);
    if ((pattern & 0x7FFF) > infinite) {
      EXPECT_TRUE(std::isnan(f)) << p;
      EXPECT_TRUE(std::isnan(f16_value(f16_bits(f)))) << p;
      continue;
    }
    if ((pattern & 0x7FFF) == infinite) {
      EXPECT_TRUE(std::isinf(f));
    } else {
      EXPECT_EQ(static_cast<double>(f), value_of(pattern)) << p;
    }
    EXPECT_EQ(f16_bits(f), pattern);
  }
}

TEST(HalfNumbers, Fp16RoundsToNearestAndTiesToEven) {
  for (std::uint16_t p = 0; p + 1 < infinite; ++p) {
    const auto low = static_cast<float>(value_of(p)),
               high = static_cast<float>(value_of(static_cast<std::uint16_t>(p + 1)));
    const float middle = (low + high) / 2;
    EXPECT_EQ(f16_bits(middle), p % 2 == 0 ? p : p + 1) << p;
    EXPECT_EQ(f16_bits(std::nextafter(middle, 0.0f)), p) << p;
    EXPECT_EQ(f16_bits(std::nextafter(middle, 1e9f)), p + 1) << p;
    EXPECT_EQ(f16_bits(-middle), 0x8000 | (p % 2 == 0 ? p : p + 1)) << p;
  }
}

TEST(HalfNumbers, Fp16OverflowAndUnderflowFollowTheStandard) {
  EXPECT_EQ(f16_bits(65504.0f), 0x7BFF);
  EXPECT_EQ(f16_bits(65519.996f), 0x7BFF);
  EXPECT_EQ(f16_bits(65520.0f), infinite);
  EXPECT_EQ(f16_bits(1e30f), infinite);
  EXPECT_EQ(f16_bits(-std::numeric_limits<float>::infinity()), 0xFC00);
  EXPECT_EQ(f16_bits(0x1p-25f), 0);
  EXPECT_EQ(f16_bits(std::nextafter(0x1p-25f, 1.0f)), 1);
  EXPECT_EQ(f16_bits(-0.0f), 0x8000);
  EXPECT_EQ(f16_bits(std::numeric_limits<float>::denorm_min()), 0);
}

TEST(HalfNumbers, Bf16IsTheUpperHalfOfTheRoundedFloat) {
  std::mt19937 random(7);
  for (int i = 0; i < 200'000; ++i) {
    const float x = bits_float(static_cast<std::uint32_t>(random()));
    const Bf16 half(x);
    if (std::isnan(x)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(half)));
    } else {
      EXPECT_EQ(float_bits(half), float_bits(round_bf16(x)));
    }
  }
}

TEST(HalfNumbers, Fp16AndBf16AreStoredInTwoBytes) {
  static_assert(sizeof(Half) == 2 && sizeof(Bf16) == 2);
  EXPECT_EQ(static_cast<float>(Half(0.1f)), 0.0999755859375f);
  EXPECT_EQ(static_cast<float>(Bf16(0.1f)), 0.10009765625f);
}

}  // namespace
}  // namespace nw::math
