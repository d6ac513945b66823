// SPDX-License-Identifier: Apache-2.0
// The tile unit: its arithmetic against the manual's definition, the operations that it rejects, the AMX machine code
// on the emulated unit, and the fallback when a processor's unit is missing or wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

#include "kernels/cpu/instruction_set.hpp"
#include "kernels/cpu/tiles/emulated_unit.hpp"
#include "kernels/cpu/tiles/tile_check.hpp"
#include "kernels/math/bfloat16.hpp"
#include "tests/kernels/tile_trap.hpp"

namespace nw::cpu {
namespace {

using Words = std::vector<std::uint32_t>;

// ---- the definition, in numbers with a 64-bit significand and a larger exponent range
float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
bool is_subnormal(float f) { return f != 0 && std::abs(f) < 0x1p-126f; }
float seen(float f) { return is_subnormal(f) ? std::copysign(0.0f, f) : f; }
/// Rounds to 24 bits; a result below the smallest normal number is flushed to zero.
float rounded(long double exact) {
  if (std::abs(exact) < 0x1.ffffffp-127L) return std::copysign(0.0f, static_cast<float>(std::copysign(1.0L, exact)));
  return static_cast<float>(exact);
}
float defined_sum(float c, const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  float part[2] = {0, 0};
  for (std::size_t k = 0; k < a.size(); ++k)
    for (int half = 0; half < 2; ++half) {
      const auto number = [&](std::uint32_t word) {
        return static_cast<long double>(seen(from_bits(half ? word & 0xffff0000u : word << 16)));
      };
      part[half] = rounded(static_cast<long double>(part[half]) + number(a[k]) * number(b[k]));
    }
  return rounded(static_cast<long double>(seen(c)) +
                 static_cast<long double>(rounded(static_cast<long double>(part[0]) + part[1])));
}

/// Ordinary numbers; or numbers with many zeros, subnormal, very large and very small ones, so that sums overflow and
/// underflow.
Words words(std::mt19937& random, std::size_t count, bool extreme) {
  Words all(count);
  const auto half = [&]() -> std::uint32_t {
    const auto r = static_cast<std::uint32_t>(random());
    if (!extreme) return (r & 0x807fu) | (118u + (r >> 20) % 20u) << 7;
    const std::uint32_t exponents[] = {0, 0, 1, 2, 30, 55, 63, 64, 65, 70, 127, 150, 190, 200};
    return (r & 0x807fu) | exponents[(r >> 20) % 14u] << 7;
  };
  for (std::uint32_t& w : all) w = half() << 16 | half();
  return all;
}

struct Vectors {
  const char* name;
  const VectorKernels* kernels;
};
std::vector<Vectors> vectors_here() {
  std::vector<Vectors> all{{"portable", &portable::vector_kernels()}};
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all.push_back({"avx2", &avx2::vector_kernels()});
  if (test::TileTrap::possible()) all.push_back({"avx512", &avx512::vector_kernels()});
#endif
  return all;
}

TEST(TileUnit, MultiplicationMatchesTheManualBitwise) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    const bool extreme = round % 2 != 0;
    const int rows = 1 + static_cast<int>(random() % 16), pairs = 1 + static_cast<int>(random() % 16),
              columns = 1 + static_cast<int>(random() % 16);
    const Words a = words(random, tile_words, extreme), b = words(random, tile_words, extreme),
                c = words(random, tile_words, extreme);
    for (const Vectors& v : vectors_here()) {
      Words got = c;
      v.kernels->tile.multiply({a.data(), b.data(), reinterpret_cast<float*>(got.data()), rows, pairs, columns});
      for (int m = 0; m < 16; ++m)
        for (int n = 0; n < 16; ++n) {
          const std::size_t row_at = 16 * static_cast<std::size_t>(m), at = row_at + static_cast<std::size_t>(n);
          Words row, column;
          for (int k = 0; k < pairs; ++k) {
            row.push_back(a[row_at + static_cast<std::size_t>(k)]);
            column.push_back(b[16 * static_cast<std::size_t>(k) + static_cast<std::size_t>(n)]);
          }
          const float want = m < rows && n < columns ? defined_sum(from_bits(c[at]), row, column) : from_bits(c[at]);
          if (std::isnan(want) && std::isnan(from_bits(got[at]))) continue;
          ASSERT_EQ(got[at], std::bit_cast<std::uint32_t>(want))
              << v.name << (extreme ? " extreme " : " ") << m << " " << n;
        }
    }
  }
}

TEST(TileUnit, OperandsAreRoundedAsByTheRoundingStep) {
  std::mt19937 random(9);
  for (const Vectors& v : vectors_here()) {
    std::vector<float> a(64), b(64);
    for (std::size_t i = 0; i < 64; ++i) {
      a[i] = from_bits(static_cast<std::uint32_t>(random()));
      b[i] = i % 7 ? from_bits(static_cast<std::uint32_t>(random())) : 1.00390625f;
    }
    Words to(64, 7);
    v.kernels->tile.pair_lanes({a.data(), b.data(), 32, 2, to.data(), 48});
    const auto word = [&](std::size_t i) {
      return std::bit_cast<std::uint32_t>(math::round_bf16(a[i])) >> 16 |
             std::bit_cast<std::uint32_t>(math::round_bf16(b[i]));
    };
    for (std::size_t i = 0; i < 16; ++i) {
      EXPECT_EQ(to[i], word(i)) << v.name;
      EXPECT_EQ(to[16 + i], 7U) << v.name;
      EXPECT_EQ(to[48 + i], word(32 + i)) << v.name;
    }
    const std::int32_t at[] = {3, -1, 0, 5};
    Words tile(tile_words, 7);
    v.kernels->tile.weight_tile({a.data(), 8, 3, 2, at, tile.data()});
    const auto bits = [&](std::size_t i) { return std::bit_cast<std::uint32_t>(math::round_bf16(a[i])); };
    for (std::size_t o = 0; o < 16; ++o)
      for (std::size_t k = 0; k < 16; ++k) {
        const std::uint32_t want = o >= 3 || k >= 2 ? 0
                                   : k == 0         ? bits(o * 8 + 3) >> 16
                                                    : bits(o * 8) >> 16 | bits(o * 8 + 5);
        EXPECT_EQ(tile[o * 16 + k], want) << v.name;
      }
    for (const std::int64_t count : {5, 32}) {
      v.kernels->tile.weight_rows({a.data(), 32, 2, count, tile.data()});
      for (std::size_t o = 0; o < 16; ++o)
        for (std::size_t k = 0; k < 16; ++k) {
          const auto half = [&](std::size_t i) {
            return o < 2 && i < static_cast<std::size_t>(count) ? bits(o * 32 + i) : 0U;
          };
          EXPECT_EQ(tile[o * 16 + k], half(2 * k) >> 16 | half(2 * k + 1)) << v.name << ", " << count << " in a row";
        }
    }
  }
}

TEST(TileUnit, PairsOfChannelsAreInterleavedIntoPairsOfShards) {
  std::mt19937 random(10);
  const Words a = words(random, 48, false), b = words(random, 48, false);
  for (const Vectors& v : vectors_here())
    for (const bool both : {true, false}) {
      Words to(7 * 16, 7);
      v.kernels->tile.pair_shards({a.data(), both ? b.data() : nullptr, 3, to.data()});
      for (std::size_t i = 0; i < 48; ++i) {
        const std::uint32_t second = both ? b[i] : 0;
        EXPECT_EQ(to[i / 16 * 32 + i % 16], (a[i] & 0xffffu) | second << 16) << v.name;
        EXPECT_EQ(to[i / 16 * 32 + 16 + i % 16], a[i] >> 16 | (second & 0xffff0000u)) << v.name;
      }
      EXPECT_EQ(to[96], 7U) << v.name;
    }
}

TEST(TileUnit, PairsOfBytesAreReplacedByTheirTableEntries) {
  std::vector<std::uint8_t> bytes(14 * 16);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 41 % 256);
  std::vector<std::uint16_t> of(512);
  for (std::size_t i = 0; i < of.size(); ++i) of[i] = static_cast<std::uint16_t>(i * 40503 % 65521);
  for (const Vectors& v : vectors_here())
    for (const int there : {0, 1, 2, 3})
      for (const std::size_t second : {0, 256}) {
        Words to(6 * 48, 7);
        v.kernels->tile.pair_bytes({there & 1 ? bytes.data() : nullptr, there & 2 ? bytes.data() + 16 : nullptr,
                                    of.data(), of.data() + second, 32, 5, to.data(), 48});
        for (std::size_t row = 0; row < 6; ++row)
          for (std::size_t lane = 0; lane < 48; ++lane) {
            const std::uint32_t low = there & 1 && row < 5 ? of[bytes[row * 32 + lane % 16]] : 0u,
                                high = there & 2 && row < 5 ? of[second + bytes[row * 32 + 16 + lane % 16]] : 0u;
            EXPECT_EQ(to[row * 48 + lane], row < 5 && lane < 16 ? low | high << 16 : 7U) << v.name << ", row " << row;
          }
      }
}

TEST(TileUnit, ColumnSumsIncludeBothHalvesOfEachTile) {
  std::mt19937 random(12);
  const Words tiles = words(random, 3 * tile_words, false);
  for (const Vectors& v : vectors_here()) {
    std::vector<float> sums(16, 0.5f);
    v.kernels->tile.sum_columns(tiles.data(), 3, sums.data());
    for (std::size_t column = 0; column < 16; ++column) {
      double want = 0.5, size = 0;
      for (std::size_t i = column; i < tiles.size(); i += 16)
        for (const float f : {from_bits(tiles[i] << 16), from_bits(tiles[i] & 0xffff0000u)}) {
          want += static_cast<double>(f);
          size += std::abs(static_cast<double>(f));
        }
      EXPECT_NEAR(sums[column], want, 1e-6 * size) << v.name;
    }
  }
}

TEST(TileUnit, ThePoolGradientIsRoutedToTheMaximumPixels) {
  constexpr std::size_t windows = 3, high = 2, wide = 3, pixels = windows * wide;
  std::mt19937 random(11);
  std::vector<float> dy[2], gate[2];
  std::vector<std::uint8_t> argmax[2];
  for (int s = 0; s < 2; ++s)
    for (std::size_t i = 0; i < windows * 16; ++i) {
      dy[s].push_back(static_cast<float>(static_cast<std::int32_t>(random())) * 0x1p-28f);
      gate[s].push_back(static_cast<float>(i % 3) - 1);
      argmax[s].push_back(static_cast<std::uint8_t>(random() % (high * wide)));
    }
  for (const Vectors& v : vectors_here())
    for (const bool gated : {true, false})
      for (const bool both : {true, false}) {
        Words to(high * pixels * 32, 7);  // every second row of 16 words belongs to another channel
        const float* const open[2] = {gated ? gate[0].data() : nullptr, gated ? gate[1].data() : nullptr};
        float sums[16] = {};
        v.kernels->tile.pair_pooled({{dy[0].data(), both ? dy[1].data() : nullptr},
                                     {open[0], open[1]},
                                     {argmax[0].data(), argmax[1].data()},
                                     windows,
                                     high,
                                     wide,
                                     to.data(),
                                     pixels * 32,
                                     32,
                                     sums});
        const auto half = [&](int s, std::size_t window, std::size_t place, std::size_t lane) -> std::uint32_t {
          const std::size_t i = window * 16 + lane;
          const bool here = (s == 0 || both) && argmax[s][i] == place && (!gated || gate[s][i] > 0);
          return here ? std::bit_cast<std::uint32_t>(math::round_bf16(dy[s][i])) : 0;
        };
        for (std::size_t y = 0; y < high; ++y)
          for (std::size_t x = 0; x < pixels; ++x)
            for (std::size_t lane = 0; lane < 16; ++lane) {
              const std::size_t place = y * wide + x % wide, at = (y * pixels + x) * 32 + lane;
              EXPECT_EQ(to[at], half(0, x / wide, place, lane) >> 16 | half(1, x / wide, place, lane)) << v.name;
              EXPECT_EQ(to[at + 16], 7U) << v.name;
            }
        for (std::size_t lane = 0; lane < 16; ++lane) {
          float want = 0;
          for (std::size_t s = 0; s < (both ? 2u : 1u); ++s)
            for (std::size_t q = 0; q < windows; ++q)
              if (!gated || gate[s][q * 16 + lane] > 0) want += math::round_bf16(dy[s][q * 16 + lane]);
          EXPECT_NEAR(sums[lane], want, 1e-5) << v.name;
        }
      }
}

TilePalette palette() {
  TilePalette p;
  p.set(0, 3, 20);
  p.set(1, 3, 8);
  p.set(2, 2, 20);
  return p;
}

TEST(TileUnit, ATileLoadsAndStoresOnlyItsConfiguredSize) {
  EmulatedUnit unit(palette());
  Words from(64), to(64, 9);
  for (std::size_t i = 0; i < 64; ++i) from[i] = static_cast<std::uint32_t>(i + 1);
  unit.load<0>(from.data(), 16 * 4);
  unit.store<0>(to.data(), 8 * 4);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(to[i], i < 24 && i % 8 < 5 ? from[i / 8 * 16 + i % 8] : 9U) << i;
  unit.zero<0>();
  unit.store<0>(to.data(), 8 * 4);
  EXPECT_EQ(to[17], 0U);
}

// On a processor this raises an exception.
TEST(TileUnitDeathTest, InvalidTileOperationsEndTheProcess) {
  EmulatedUnit unit(palette());
  Words memory(256);
  EXPECT_DEATH(unit.load<5>(memory.data(), 64), "") << "a tile without a size";
  EXPECT_DEATH((unit.multiply<0, 2, 1>()), "") << "sizes that do not fit";
  EXPECT_DEATH((unit.multiply<0, 1, 1>()), "") << "one tile twice";
  TilePalette tall = palette();
  tall.rows[0] = 17;
  EXPECT_DEATH(EmulatedUnit{tall}, "");
  TilePalette odd = palette();
  odd.bytes[6] = 4;
  EXPECT_DEATH(EmulatedUnit{odd}, "") << "bytes but no rows";
}

// ---- the processor's tile unit
#if defined(__x86_64__)
TEST(AmxKernels, AmxMachineCodeOnTheEmulatedUnitMatchesTheEmulatedKernels) {
  if (!test::TileTrap::possible()) GTEST_SKIP() << "this processor cannot run what lies between the tile instructions";
  const bool native = amx_missing().empty();
  const std::int64_t before = test::TileTrap::count();
  const test::TileTrap trap;
  EXPECT_EQ(tiles_mismatch(amx::tile_kernels()), "");
  EXPECT_TRUE(native || test::TileTrap::count() - before > 2000);
}
#endif

// ---- the check of a unit before it is used
template <int wrong_at>
void wrong_product(const TileProduct& p) {
  emulated::tile_kernels().product(p);
  p.y[wrong_at] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(p.y[wrong_at]) ^ 1u);
}
void no_gradient(const TileGradient&) {}
void no_correlation(const TileCorrelation&) {}
void shard_of_one_tile(const TileShard& p) {
  TileShard one = p;
  one.row_tiles = 1;
  emulated::tile_kernels().shard(one);
}
void lanes_rounded_down(const LanePairs& p) {
  best_vectors().tile.pair_lanes(p);
  for (std::int64_t i = 0; i < p.count; ++i) p.to[i * p.to_step] &= ~1u;
}
void outer_without_sums(const TileOuter& p) {
  TileOuter one = p;
  one.units = 1;
  emulated::tile_kernels().outer(one);
}
TileKernels with_wrong_product() {
  TileKernels k = emulated::tile_kernels();
  k.product = wrong_product<3>;
  return k;
}

TEST(TileCheck, FindsAnyKernelThatDiffersInABit) {
  EXPECT_EQ(tiles_mismatch(emulated::tile_kernels()), "");
  TileKernels k = emulated::tile_kernels();
  k.gradient = no_gradient;
  EXPECT_NE(tiles_mismatch(k), "");
  k = emulated::tile_kernels();
  k.outer = outer_without_sums;
  EXPECT_NE(tiles_mismatch(k), "");
  k = emulated::tile_kernels();
  k.correlation = no_correlation;
  EXPECT_NE(tiles_mismatch(k), "");
  k = emulated::tile_kernels();
  k.shard = shard_of_one_tile;
  EXPECT_NE(tiles_mismatch(k), "");
  k = emulated::tile_kernels();
  k.support.pair_lanes = lanes_rounded_down;
  EXPECT_NE(tiles_mismatch(k), "");
  EXPECT_NE(tiles_mismatch(with_wrong_product()), "");
}

std::string mismatch_of_wrong_unit() { return tiles_mismatch(with_wrong_product()); }
std::string no_mismatch() { return ""; }

TEST(TileCheck, AnIncorrectTileUnitIsNotUsedAndIsReported) {
  const std::vector<Candidate> all = {{"amx", "", &portable::vector_kernels(), mismatch_of_wrong_unit},
                                      {"avx512", "", &portable::vector_kernels()}};
  for (const char* asked : {"", "amx"}) {
    const InstructionSet set = choose(all, asked);
    EXPECT_EQ(set.name, "avx512");
    EXPECT_EQ(set.note,
              "amx: a trial product came out otherwise than it should on this processor's tiles; using avx512");
  }
  EXPECT_EQ(choose(all, "avx512").note, "") << "nobody asked the unit";
}

TEST(TileCheck, TheBestAvailableSetIsUsedUnlessOneIsRequested) {
  const std::vector<Candidate> all = {{"amx", "", &portable::vector_kernels(), no_mismatch},
                                      {"avx512", "", &portable::vector_kernels()},
                                      {"amx-emulated", "", &portable::vector_kernels()}};
  EXPECT_EQ(choose(all, "").name, "amx");
  for (const char* name : {"amx", "avx512", "amx-emulated"}) {
    EXPECT_EQ(choose(all, name).name, name);
    EXPECT_EQ(choose(all, name).note, "");
  }
}

}  // namespace
}  // namespace nw::cpu
