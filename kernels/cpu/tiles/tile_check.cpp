// SPDX-License-Identifier: Apache-2.0
// Before a tile unit is used for the first time, some small products are computed both by it and by the emulated unit:
// with each kernel, each number of accumulator tiles, whole and partial tiles, image edges, several runs, and sums that
// are continued.
#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "kernels/cpu/processor/candidate.hpp"
#include "kernels/cpu/tiles/tile_check.hpp"

namespace nw::cpu {
namespace {

constexpr std::int64_t outs = 18, most_rows = 61, sum_count = 1 << 13;
constexpr std::int32_t run_offsets[] = {0, 2 * row_words};

TileRuns two_runs(std::int64_t rows) { return {run_offsets, 2, rows}; }

/// Words of two finite bfloat16 numbers, or floats, over some ten binary orders of magnitude, with both signs; the
/// sequence is the same every time.
std::uint32_t next(std::uint32_t& state) {
  state = state * 1664525u + 1013904223u;
  return state;
}
std::vector<std::uint32_t> words(std::int64_t count, std::uint32_t state) {
  std::vector<std::uint32_t> all(static_cast<std::size_t>(count));
  for (std::uint32_t& w : all) {
    const std::uint32_t r = next(state), s = next(state);
    w = (r & 0x807f807fu) | (120u + (s >> 28)) << 23 | (120u + (s >> 24 & 15u)) << 7;
  }
  return all;
}
std::vector<float> floats(std::int64_t count, std::uint32_t state) {
  std::vector<float> all(static_cast<std::size_t>(count));
  for (float& f : all) f = static_cast<float>(static_cast<std::int32_t>(next(state))) * 0x1p-28f;
  return all;
}

/// Of row_words floats; +0 and -0 differ, equal NaNs do not.
bool same_bits(const float* a, const float* b) {
  return std::equal(a, a + row_words, b, [](float x, float y) {
    return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
  });
}

/// `sums`, 1 to 4: the number of accumulator tiles for the last pixels. It also selects the number of rows: less than a
/// tile, one tile, a tile and a remainder, three tiles.
std::vector<float> product(const TileKernels& k, std::int64_t sums) {
  constexpr std::int64_t rows[] = {5, 16, 21, 48};
  const TileRuns runs = two_runs(rows[sums - 1]);
  const std::int64_t pixels = 4 + sums;
  const auto x = words((pixels + most_rows) * row_words, 1), w = words(2 * runs.count * runs.tiles() * tile_words, 2);
  const auto bias = floats(outs, 3), gate = floats(sum_count, 4);
  std::vector<std::int32_t> x_pixel, y_pixel;
  for (std::int64_t q = 0; q < pixels; ++q) {
    x_pixel.push_back(static_cast<std::int32_t>(q * row_words));
    y_pixel.push_back(static_cast<std::int32_t>((pixels - 1 - q) * row_words));
  }
  std::vector<float> y(sum_count, 0.0f);
  k.product({x.data(), x_pixel.data(), y_pixel.data(), pixels, runs, w.data(), outs, bias.data(), sums % 2 == 0,
             sums > 2 ? gate.data() : nullptr, y.data(), pixels * row_words});
  return y;
}

std::vector<float> gradient(const TileKernels& k, std::int64_t sums) {
  const auto x = words((most_rows + 40) * row_words, 5), dy = words(2 * 3 * 2 * tile_words, 6);
  std::vector<float> acc(sum_count, 0.0f);
  for (const bool add : {false, true})
    k.gradient(
        {x.data(), 3 * row_words, row_words, two_runs(sums * tile_rows - 3), dy.data(), 3, 2, 2, acc.data(), add});
  return acc;
}

std::vector<float> outer(const TileKernels& k, std::int64_t sums) {
  const std::int64_t ins = sums * tile_rows - 3;
  const auto dy = words(2 * 2 * tile_words, 7), x = words(2 * sums * tile_words, 8);
  std::vector<float> dw(sum_count, 0.0f);
  k.outer({dy.data(), x.data(), 2, outs, ins, dw.data(), ins});
  return dw;
}

// The outputs of `sums` adjacent pixels in one tile.
std::vector<float> grouped(const TileKernels& k, std::int64_t sums) {
  constexpr std::int64_t few = 3, places = 5, rows = 21;
  const auto x = words((places * 2 + most_rows) * row_words, 9), w = words(2 * tile_words * 2, 10);
  const auto bias = floats(few, 11);
  std::vector<std::int32_t> x_pixel, y_pixel;
  for (std::int64_t q = 0; q < places; ++q) {
    x_pixel.push_back(static_cast<std::int32_t>(q * 2 * row_words));
    y_pixel.push_back(static_cast<std::int32_t>(q * sums * row_words));
  }
  std::vector<float> y(sum_count, 0.0f);
  k.product({x.data(), x_pixel.data(), y_pixel.data(), places, two_runs(rows), w.data(), few, bias.data(), false,
             nullptr, y.data(), places * sums * row_words, sums, row_words});
  return y;
}

// Windows whose pixels have a tile each, or share tiles in pairs, or share one tile.
std::vector<float> pooled(const TileKernels& k, std::int64_t sums) {
  const std::int64_t group = sums > 2 ? 4 : sums, tiles = 4 / group, few = sums == 1 ? outs : 3, windows = 3;
  const TileRuns runs = two_runs(21);
  const auto x = words((windows * tiles + most_rows) * row_words, 20),
             w = words(2 * runs.count * runs.tiles() * tile_words, 21);
  const auto bias = floats(few, 22);
  std::vector<std::int32_t> x_pixel, y_pixel;
  for (std::int64_t q = 0; q < windows * tiles; ++q) x_pixel.push_back(static_cast<std::int32_t>(q * row_words));
  for (std::int64_t q = 0; q < windows; ++q) y_pixel.push_back(static_cast<std::int32_t>(q * row_words));
  std::vector<std::uint8_t> argmax(sum_count, 0);
  TilePool pool{{}, sums < 4 ? argmax.data() : nullptr};
  for (std::int64_t n = 0; n < 4; ++n)
    pool.member[n] =
        static_cast<std::int32_t>(n / group * tile_words + n % group * std::min(few, tile_rows) * row_words);
  std::vector<float> y(sum_count, 0.0f);
  TileProduct p{x.data(), x_pixel.data(), y_pixel.data(), windows * tiles,     runs,  w.data(), few, bias.data(),
                true,     nullptr,        y.data(),       windows * row_words, group, 0};
  p.pool = &pool;
  k.product(p);
  for (const std::uint8_t n : argmax) y.push_back(n);
  return y;
}

// Two columns of `sums` + 3 outputs with three taps; one row of x is outside the image, and so is the last tile of the
// second column.
std::vector<float> columns(const TileKernels& k, std::int64_t sums) {
  constexpr std::int64_t taps = 3, run_rows = 21;
  constexpr std::int32_t offsets[] = {0, 0, 0}, first[] = {0, 0}, last[] = {2, 1};
  const std::int64_t rows = sums + 3, x_row = 40 * row_words;
  const auto x = words((rows + taps) * x_row, 23), w = words(2 * taps * 2 * tile_words, 24);
  std::vector<std::int32_t> x_pixel, y_pixel;
  for (std::int64_t q = 0; q < 2 * rows; ++q) {
    x_pixel.push_back(static_cast<std::int32_t>(q / rows * row_words + q % rows * x_row));
    y_pixel.push_back(static_cast<std::int32_t>(q * row_words));
  }
  std::vector<float> y(sum_count, 0.0f);
  TileProduct p{x.data(), x_pixel.data(), y_pixel.data(), 2 * rows, {offsets, taps, run_rows}, w.data(), outs,
                nullptr,  false,          nullptr,        y.data(), 2 * rows * row_words};
  const TileColumns by_column{rows, rows, x_row, 1, rows + taps - 2, first, last};
  p.columns = &by_column;
  k.product(p);
  return y;
}

std::vector<float> correlation(const TileKernels& k, std::int64_t sums) {
  constexpr std::int64_t rows = 2, groups = 3, pair = 37;
  constexpr std::int32_t offsets[] = {0, 5, 16 * pair, 16 * pair + 1, 7, 2}, phases[] = {0, 3};
  const auto dy = words(rows * groups * tile_words, 12), x = words((rows + 2) * row_words * pair, 13);
  std::vector<float> acc(sum_count, 0.0f);
  for (const bool add : {false, true})
    k.correlation({dy.data(), 4 * sums - 1, tile_words, x.data(), pair, row_words * pair, 1 + sums % 2, phases, 3,
                   offsets, 4 * sums, sums + 2, rows, groups, acc.data(), add});
  return acc;
}

std::vector<float> shard(const TileKernels& k, std::int64_t sums) {
  const std::int64_t row_tiles = sums, all = (3 + sums) * tile_rows - 3;
  const auto x = words(row_tiles * tile_words, 16), w = words((4 + sums) * row_tiles * tile_words, 17);
  const auto bias = floats(all, 18), gate = floats(all * row_words, 19);
  std::vector<float> y(sum_count, 0.0f);
  k.shard({x.data(), w.data(), row_tiles, all, bias.data(), sums % 2 == 0, sums > 2 ? gate.data() : nullptr, y.data()});
  return y;
}

/// True: what the unit packs and sums itself differs from the results of the vector kernels.
bool packs_otherwise(const TileSupport& own) {
  const TileSupport& vectors = best_vectors().tile;
  const auto a = floats(70 * row_words, 14), b = floats(70 * row_words, 15);
  std::vector<std::uint32_t> got(70 * row_words, 0), wanted(got);
  bool other = false;
  const auto compare = [&] { other = other || got != wanted; };
  if (own.pair_lanes)
    for (const float* second : {b.data(), static_cast<const float*>(nullptr)}) {
      own.pair_lanes({a.data(), second, 2 * row_words, 30, got.data(), row_words});
      vectors.pair_lanes({a.data(), second, 2 * row_words, 30, wanted.data(), row_words});
      compare();
    }
  if (own.pair_bytes) {
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint16_t> of;
    for (const std::uint32_t w : words(512, 20)) {
      bytes.insert(bytes.end(), {static_cast<std::uint8_t>(w), static_cast<std::uint8_t>(w >> 8)});
      of.push_back(static_cast<std::uint16_t>(w >> 16));
    }
    for (const int which : {1, 2, 3, 7}) {
      const BytePairs p{which & 1 ? bytes.data() : nullptr,
                        which & 2 ? bytes.data() + 16 : nullptr,
                        of.data(),
                        of.data() + (which & 4 ? 256 : 0),
                        32,
                        29,
                        got.data(),
                        row_words};
      own.pair_bytes(p);
      BytePairs same = p;
      same.to = wanted.data();
      vectors.pair_bytes(same);
      compare();
    }
  }
  if (own.weight_rows)
    for (const std::int64_t count : {32, 17, 3}) {
      own.weight_rows({a.data(), 35, count % 16, count, got.data()});
      vectors.weight_rows({a.data(), 35, count % 16, count, wanted.data()});
      compare();
    }
  if (own.sum_rounded) {
    float one[row_words] = {}, two[row_words] = {};
    own.sum_rounded(a.data(), 67, one);
    vectors.sum_rounded(a.data(), 67, two);
    other = other || !same_bits(one, two);
  }
  if (own.pair_pooled) {
    std::vector<std::uint8_t> argmax;
    for (std::uint32_t w : words(16 * row_words, 25)) argmax.push_back(static_cast<std::uint8_t>(w % 5));
    const std::uint8_t* const second = argmax.data() + 8 * row_words;
    for (const std::int64_t sides : {1, 2})
      for (const bool gated : {true, false}) {
        float one[row_words] = {}, two[row_words] = {};
        const float* const gate = gated ? b.data() : nullptr;
        const auto pairs = [&](std::uint32_t* to, float* sums) {
          return PooledPairs{{a.data(), sides > 1 ? a.data() + 9 * row_words : nullptr},
                             {gate, gated ? gate + 3 : nullptr},
                             {argmax.data(), second},
                             8,
                             2,
                             2,
                             to,
                             32 * row_words,
                             row_words,
                             sums};
        };
        own.pair_pooled(pairs(got.data(), one));
        vectors.pair_pooled(pairs(wanted.data(), two));
        compare();
        other = other || !same_bits(one, two);
      }
  }
  return other;
}

}  // namespace

std::string tiles_mismatch(const TileKernels& unit) {
  struct Released {
    const TileKernels& unit;
    ~Released() { unit.release(); }
  } released{unit};
  if (packs_otherwise(unit.support))
    return "numbers were rounded or laid in pairs otherwise than they should be on this processor";
  for (const auto result : {product, gradient, outer, grouped, pooled, columns, correlation, shard})
    for (std::int64_t sums = 1; sums <= 4; ++sums) {
      const std::vector<float> got = result(unit, sums), wanted = result(emulated::tile_kernels(), sums);
      if (std::memcmp(got.data(), wanted.data(), got.size() * sizeof(float)) != 0)
        return "a trial product came out otherwise than it should on this processor's tiles";
    }
  return "";
}

}  // namespace nw::cpu
