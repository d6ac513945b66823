// SPDX-License-Identifier: Apache-2.0
// Rounding to bfloat16 against its definition: the nearest of all bfloat16 numbers, found by searching all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <random>

#include "kernels/math/bfloat16.hpp"
#include "tests/support/tiny_plan.hpp"

namespace nw::test {
namespace {

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t bits_of(float f) { return std::bit_cast<std::uint32_t>(f); }

/// All bfloat16 numbers from zero on, as exact doubles; their index is their pattern. The last element is 2^128, the
/// number after the largest one: a value closer to it than to the largest number rounds to infinity.
const std::vector<double>& ladder() {
  static const std::vector<double> all = [] {
    std::vector<double> v;
    for (std::uint32_t pattern = 0; pattern < 0x7F80; ++pattern)
      v.push_back(static_cast<double>(from_bits(pattern << 16)));
    v.push_back(0x1p128);
    return v;
  }();
  return all;
}

float nearest(float x) {
  if (std::isnan(x)) return x;
  const double size = std::min(std::abs(static_cast<double>(x)), 0x1p128);
  const auto above = std::lower_bound(ladder().begin(), ladder().end(), size);
  auto at = static_cast<std::uint32_t>(above - ladder().begin());
  if (*above != size) {
    const double up = *above - size, down = size - *(above - 1);
    if (down < up || (down == up && at % 2 != 0)) --at;  // the pattern's last bit is the significand's: ties to even
  }
  return std::copysign(from_bits(at << 16), x);
}

void expect_nearest(float x, float got) {
  if (std::isnan(x)) {
    EXPECT_TRUE(std::isnan(got)) << std::hex << bits_of(x) << " became " << bits_of(got);
  } else {
    EXPECT_EQ(bits_of(got), bits_of(nearest(x))) << std::hex << bits_of(x);
  }
  EXPECT_EQ(bits_of(got) & 0xFFFFu, 0u) << std::hex << bits_of(x) << " is no bfloat16";
}

/// Every bfloat16, the adjacent floats, the midpoint to the next bfloat16, and the floats adjacent to the midpoint.
std::vector<float> near_all() {
  std::vector<float> all;
  for (std::uint32_t pattern = 0; pattern < 0x10000; ++pattern)
    for (const std::int32_t off : {-1, 0, 1, 0x7FFF, 0x8000, 0x8001})
      all.push_back(from_bits((pattern << 16) + static_cast<std::uint32_t>(off)));
  return all;
}

TEST(RoundingToBf16, RoundsToTheNearestBf16Number) {
  for (const float x : near_all()) expect_nearest(x, math::round_bf16(x));
  std::mt19937 random(3);
  for (int i = 0; i < 100'000; ++i) {
    const float x = from_bits(static_cast<std::uint32_t>(random()));
    expect_nearest(x, math::round_bf16(x));
  }
}

TEST(RoundingToBf16, SpecialCasesAreRoundedCorrectly) {
  struct Case {
    const char* what;
    std::uint32_t from, to;
  };
  for (const Case& c : {Case{"zero", 0, 0},
                        Case{"minus zero", 0x80000000, 0x80000000},
                        Case{"one", 0x3F800000, 0x3F800000},
                        Case{"a tie above an even one goes down", 0x3F808000, 0x3F800000},
                        Case{"a tie above an odd one goes up", 0x3F818000, 0x3F820000},
                        Case{"just over a tie goes up", 0x3F808001, 0x3F810000},
                        Case{"a carry reaches the exponent", 0x3FFFFFFF, 0x40000000},
                        Case{"the smallest subnormal is nearer to zero", 1, 0},
                        Case{"a tie with zero goes to zero", 0x00008000, 0},
                        Case{"a subnormal stays one", 0x00018000, 0x00020000},
                        Case{"the largest subnormal becomes normal", 0x007FFFFF, 0x00800000},
                        Case{"infinity", 0x7F800000, 0x7F800000},
                        Case{"minus infinity", 0xFF800000, 0xFF800000},
                        Case{"the largest float", 0x7F7FFFFF, 0x7F800000},
                        Case{"the lowest float", 0xFF7FFFFF, 0xFF800000},
                        Case{"the largest bfloat16", 0x7F7F0000, 0x7F7F0000},
                        Case{"just under the last tie", 0x7F7F7FFF, 0x7F7F0000},
                        Case{"a NaN whose payload lies low", 0x7F800001, 0x7FC00000},
                        Case{"a NaN that would carry over", 0x7FFFFFFF, 0x7FFF0000},
                        Case{"a NaN with a sign", 0xFFC00000, 0xFFC00000}})
    EXPECT_EQ(bits_of(math::round_bf16(from_bits(c.from))), c.to) << c.what;
}

struct Place {
  const char *backend, *isa;
  bool batched;
};
class RoundingStep : public testing::TestWithParam<Place> {
 protected:
  void SetUp() override { setenv("NETWRIGHT_CPU", GetParam().isa, 1); }
  void TearDown() override { unsetenv("NETWRIGHT_CPU"); }
};

// Lengths that are multiples of neither a vector nor a block; 37 images, which do not fill the last shard.
TEST_P(RoundingStep, RoundsEveryNumberAsTheFunctionDoes) {
  const auto device = device_of(std::string(GetParam().backend) == "cpu" ? cpu_backend() : reference_backend());
  std::vector<float> all = near_all();
  constexpr std::int64_t rows = 37;
  while (GetParam().batched && all.size() % rows != 0) all.push_back(1.00390625f);
  const auto count = static_cast<std::int64_t>(all.size());
  TinyPlan tiny(rows);
  const Shape shape = GetParam().batched ? Shape{rows, count / rows} : Shape{count};
  const int x = tiny.value("x", shape, Role::saved, GetParam().batched),
            y = tiny.value("y", shape, Role::saved, GetParam().batched);
  tiny.step("round_bf16", {x}, {y});
  Bench bench(tiny, *device, 2);
  if (device->name() == "cpu" &&
      bench.executable().choices().at(0) != fmt::format("instruction set: {}", GetParam().isa))
    GTEST_SKIP() << "this processor has no " << GetParam().isa;
  bench.write_bytes(x, all);
  ASSERT_TRUE(static_cast<bool>(bench.executable().run(args_for(rows))));
  const std::vector<float> got = bench.read(y);
  for (std::size_t i = 0; i < all.size(); ++i)
    ASSERT_EQ(bits_of(got[i]), bits_of(math::round_bf16(all[i]))) << std::hex << bits_of(all[i]);
  EXPECT_TRUE(bench.guards_intact());
}

INSTANTIATE_TEST_SUITE_P(Backends, RoundingStep,
                         testing::Values(Place{"reference", "portable", true}, Place{"reference", "portable", false},
                                         Place{"cpu", "portable", true}, Place{"cpu", "portable", false},
                                         Place{"cpu", "avx2", true}, Place{"cpu", "avx2", false},
                                         Place{"cpu", "avx512", true}, Place{"cpu", "avx512", false},
                                         Place{"cpu", "avx512bf16", true}, Place{"cpu", "avx512bf16", false},
                                         Place{"cpu", "amx", true}, Place{"cpu", "amx", false},
                                         Place{"cpu", "amx-emulated", true}, Place{"cpu", "amx-emulated", false}),
                         [](const auto& info) {
                           std::string isa = info.param.isa;
                           std::replace(isa.begin(), isa.end(), '-', '_');
                           return fmt::format("{}_{}_{}", info.param.backend, isa,
                                              info.param.batched ? "batched" : "weight");
                         });

}  // namespace
}  // namespace nw::test
