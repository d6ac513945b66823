// SPDX-License-Identifier: Apache-2.0
// The kernels of tile_kernels.hpp over any unit. Four sums stay in tiles 0 to 3 while their operands are loaded: five
// loads for four products.
#pragma once
#include "kernels/cpu/tiles/tile_ends.hpp"
#include "kernels/cpu/tiles/tile_unit.hpp"

namespace nw::cpu {
namespace {

/// Calls f.operator()<n>() for n in 1 … 4.
template <class F>
inline void as_constant(i64 n, F f) {
  if (n == 1)
    f.template operator()<1>();
  else if (n == 2)
    f.template operator()<2>();
  else if (n == 3)
    f.template operator()<3>();
  else
    f.template operator()<4>();
}
/// Calls f.operator()<i>() for i in 0 … count - 1.
template <int count, class F>
inline void each(F f) {
  f.template operator()<0>();
  if constexpr (count > 1) f.template operator()<1>();
  if constexpr (count > 2) f.template operator()<2>();
  if constexpr (count > 3) f.template operator()<3>();
  if constexpr (count > 4) f.template operator()<4>();
}

/// Tiles 0 … count - 1 += tile a times those at place(0), place(1), …; tiles b and b2 in turn receive them, unless the
/// unit has a way of its own.
template <int count, int a, int b, int b2, class Unit, class Place>
inline void multiply_each(Unit& unit, i64 stride, Place place) {
  if constexpr (requires { unit.template multiply_each<count, a, b, b2>(stride, place); }) {
    unit.template multiply_each<count, a, b, b2>(stride, place);
  } else {
    each<count>([&]<int j>() {
      constexpr int to = j % 2 == 0 ? b : b2;
      unit.template load<to>(place(j), stride);
      unit.template multiply<j, a, to>();
    });
  }
}

/// Tiles c, c + step, … += tile a times tiles b, b + 1, …, `count` of them.
template <int count, int a, int b, int c, int step, class Unit>
inline void multiply_by_all(Unit& unit) {
  if constexpr (requires { unit.template multiply_by_all<count, a, b, c, step>(); })
    unit.template multiply_by_all<count, a, b, c, step>();
  else
    each<count>([&]<int i>() { unit.template multiply<c + i * step, a, b + i>(); });
}

// ---- forward and input gradient: tiles 4 and 6 for whole tiles of rows, 5 and 7 for the last tile of a run
inline TilePalette product_palette(i64 outs, i64 rest) {
  TilePalette p;
  for (int t = 0; t < together; ++t) p.set(t, outs, row_bytes);
  p.set(4, outs, row_bytes);
  p.set(5, outs, 4 * rest);
  p.set(6, tile_rows, row_bytes);
  p.set(7, rest, row_bytes);
  return p;
}

template <class Unit>
inline void product_of(Unit& unit, const TileProduct& p, const float* begin, i64 tile, i64 pixel, i64 pixels) {
  const i64 whole = p.runs.rows / tile_rows, rest = rest_of(p.runs.rows);
  as_constant(pixels, [&]<int count>() {
    each<count>([&]<int j>() { unit.template load<j>(begin, row_bytes); });
    const std::uint32_t* w = p.w + tile * p.runs.count * p.runs.tiles() * tile_words;
    for (i64 r = 0; r < p.runs.count; ++r) {
      const std::uint32_t* x = p.x + p.runs.offset[r];
      for (i64 k = 0; k < whole; ++k, w += tile_words, x += tile_words) {
        unit.stay_awake();
        unit.template load<4>(w, row_bytes);
        multiply_each<count, 4, 6, 6>(unit, row_bytes, [&](i64 j) { return x + p.x_pixel[pixel + j]; });
      }
      if (rest == 0) continue;
      unit.stay_awake();
      unit.template load<5>(w, row_bytes);
      multiply_each<count, 5, 7, 7>(unit, row_bytes, [&](i64 j) { return x + p.x_pixel[pixel + j]; });
      w += tile_words;
    }
  });
}

// Multiplies one row of x, tile by tile: output `row` and the following ones read it through the taps `tap`, `tap` - 1,
// …
template <bool rest, int count, class Unit>
inline void add_row(Unit& unit, const TileProduct& p, const std::uint32_t* x, const std::uint32_t* w, i64 tap,
                    i64 first, i64 last) {
  constexpr int a = rest ? 5 : 4, b = rest ? 7 : 6;
  const i64 tiles = p.runs.tiles(), taps = p.runs.count;
  for (i64 k = first; k < last; ++k) {
    unit.stay_awake();
    unit.template load<b>(x + k * tile_words, row_bytes);
    each<count>([&]<int j>() {
      if (tap < j || tap - j >= taps) return;
      unit.template load<a>(w + ((tap - j) * tiles + k) * tile_words, row_bytes);
      unit.template multiply<j, a, b>();
    });
  }
}

template <class Unit>
inline void product_above(Unit& unit, const TileProduct& p, const TileColumns& c, const float* begin, i64 tile,
                          i64 column, i64 row, i64 count) {
  const i64 whole = least(p.runs.rows / tile_rows, c.last_tile[column]), from = c.first_tile[column];
  const std::uint32_t *const w = p.w + tile * p.runs.count * p.runs.tiles() * tile_words,
                             *const x = p.x + p.runs.offset[0] + p.x_pixel[column * c.column];
  as_constant(count, [&]<int n>() {
    each<n>([&]<int j>() { unit.template load<j>(begin, row_bytes); });
    for (i64 at = c.first > row ? c.first : row; at < least(row + n - 1 + p.runs.count, c.last); ++at) {
      add_row<false, n>(unit, p, x + at * c.x_row, w, at - row, from, whole);
      if (whole < c.last_tile[column]) add_row<true, n>(unit, p, x + at * c.x_row, w, at - row, whole, whole + 1);
    }
  });
}

template <int count, class Unit>
inline void store_sums(const Unit& unit, float* sums) {
  each<count>([&]<int j>() { unit.template store<j>(sums + j * tile_words, row_bytes); });
}

template <class Unit>
inline void product_by_column(const TileProduct& p) {
  const TileColumns c = *p.columns;
  const i64 columns = p.pixels / c.rows;
  alignas(64) float sums[together * tile_words];
  for (i64 tile = 0; tile < tiles_of(p.outs); ++tile) {
    const i64 o = tile * tile_rows, outs = least(tile_rows, p.outs - o);
    const Biases bias(p, o, outs);
    Unit unit({product_palette, outs * p.group, rest_of(p.runs.rows)});
    i64 before = -1, some = 0;
    for (i64 column = 0; column < columns; ++column)
      for (i64 row = 0; row < c.rows; row += together) {
        const i64 count = least(together, c.rows - row);
        product_above(unit, p, c, bias.rows, tile, column, row, count);
        if (before >= 0) end_pixels(p, sums, bias.of, o, outs, before, some);
        as_constant(count, [&]<int n>() { store_sums<n>(unit, sums); });
        before = column * c.column + row;
        some = count;
      }
    if (before >= 0) end_pixels(p, sums, bias.of, o, outs, before, some);
  }
}

// Sums are stored to memory first and finished while the next ones are computed.
template <class Unit>
inline void product(const TileProduct& p) {
  if (p.columns) return product_by_column<Unit>(p);
  alignas(64) float sums[together * tile_words];
  for (i64 tile = 0; tile < tiles_of(p.outs); ++tile) {
    const i64 o = tile * tile_rows, outs = least(tile_rows, p.outs - o);
    const Biases bias(p, o, outs);
    const auto end = [&](i64 q) {
      if (q < 0) return;
      const i64 count = least(together, p.pixels - q);
      if (p.pool)
        end_windows(p, sums, o, outs, q, count);
      else
        end_pixels(p, sums, bias.of, o, outs, q, count);
    };
    Unit unit({product_palette, outs * p.group, rest_of(p.runs.rows)});
    i64 q = 0;
    for (; q < p.pixels; q += together) {
      const i64 count = least(together, p.pixels - q);
      product_of(unit, p, bias.rows, tile, q, count);
      end(q - together);
      as_constant(count, [&]<int n>() { store_sums<n>(unit, sums); });
    }
    end(q - together);
  }
}

// A single shard: all products share its rows, and four tiles of outputs are computed together.
inline TilePalette shard_palette(i64, i64) {
  TilePalette p;
  for (int t = 0; t < 7; ++t) p.set(t, tile_rows, row_bytes);
  return p;
}

inline void end_outs(const TileShard& p, const float* sums, i64 tile) {
  const i64 first = tile * tile_rows, outs = least(tile_rows, p.outs - first);
  float bias[tile_rows] = {};
  for (i64 i = 0; p.bias && i < outs; ++i) bias[i] = p.bias[first + i];
  float* const y = p.y + first * row_words;
  if (p.gate)
    end_pixel<End::gate>(sums, bias, outs, y, p.gate + first * row_words, row_words);
  else if (p.relu)
    end_pixel<End::relu>(sums, bias, outs, y, nullptr, row_words);
  else
    end_pixel<End::plain>(sums, bias, outs, y, nullptr, row_words);
}

template <class Unit>
inline void shard(const TileShard& given) {
  const TileShard p = given;  // a copy: stores cannot alias it
  Unit unit({shard_palette});
  const i64 tiles = tiles_of(p.outs), out_words = p.row_tiles * tile_words;
  for (i64 first = 0; first < tiles; first += together)
    as_constant(least(together, tiles - first), [&]<int count>() {
      each<count>([&]<int j>() { unit.template zero<j>(); });
      for (i64 k = 0; k < p.row_tiles; ++k) {
        unit.stay_awake();
        unit.template load<6>(p.x + k * tile_words, row_bytes);
        each<count>([&]<int j>() {
          unit.template load<4 + j % 2>(p.w + (first + j) * out_words + k * tile_words, row_bytes);
          unit.template multiply<j, 4 + j % 2, 6>();
        });
      }
      alignas(64) float sums[together * tile_words];
      each<count>([&]<int j>() { unit.template store<j>(sums + j * tile_words, row_bytes); });
      for (i64 j = 0; j < count; ++j) end_outs(p, sums + j * tile_words, first + j);
    });
}

// ---- weight gradients
inline TilePalette gradient_palette(i64, i64) {
  TilePalette p;
  for (int t = 0; t < 8; ++t) p.set(t, tile_rows, row_bytes);
  return p;
}

// Two tiles of outputs by two of rows where there are enough: four loads for four products, otherwise five. The
// operands come mostly from the L2 cache.
template <class Unit>
inline void gradient(const TileGradient& given) {
  const TileGradient g = given;  // a copy: stores cannot alias it
  Unit unit({gradient_palette});
  const i64 tiles = g.runs.tiles(), all = g.runs.count * tiles;
  const auto place = [&](i64 t) { return g.runs.offset[t / tiles] + t % tiles * tile_words; };
  const auto block = [&]<int outs, int count>(i64 o, i64 first) {
    const std::uint32_t* x[count];
    for (i64 j = 0; j < count; ++j) x[j] = g.x + place(first + j);
    float* const acc = g.acc + (o * all + first) * tile_words;
    const auto at = [&](i64 tile) { return acc + (tile / count * all + tile % count) * tile_words; };
    each<outs * count>([&]<int t>() {
      if (g.add)
        unit.template load<t>(at(t), row_bytes);
      else
        unit.template zero<t>();
    });
    const i64 next = g.rows * g.columns * tile_words;
    const std::uint32_t* dy = g.dy + o * next;
    for (i64 row = 0; row < g.rows; ++row)
      for (i64 column = 0; column < g.columns; ++column, dy += tile_words) {
        const i64 from = row * g.x_row + column * g.x_column;
        unit.stay_awake();
        each<outs>([&]<int i>() { unit.template load<4 + i>(dy + i * next, row_bytes); });
        each<count>([&]<int j>() {
          unit.template load<6 + j % 2>(x[j] + from, row_bytes);
          multiply_by_all<outs, 6 + j % 2, 4, j, count>(unit);
        });
      }
    each<outs * count>([&]<int t>() { unit.template store<t>(at(t), row_bytes); });
  };
  i64 o = 0;
  for (; o + 2 <= g.out_tiles; o += 2)
    for (i64 first = 0; first < all; first += 2)
      if (all - first > 1)
        block.template operator()<2, 2>(o, first);
      else
        block.template operator()<2, 1>(o, first);
  for (i64 first = 0; o < g.out_tiles && first < all; first += together)
    as_constant(least(together, all - first), [&]<int count>() { block.template operator()<1, count>(o, first); });
}

// Up to five sums; tile 5 for dy, 6 and 7 for x.
inline TilePalette correlation_palette(i64 rows, i64 columns) {
  TilePalette p;
  for (int t = 0; t < 5; ++t) p.set(t, rows, columns * 4);
  p.set(5, rows, row_bytes);
  p.set(6, tile_rows, columns * 4);
  p.set(7, tile_rows, columns * 4);
  return p;
}

template <int count, class Unit>
inline void correlate(Unit& unit, const TileCorrelation& c, i64 phase, i64 first) {
  const std::uint32_t* x[count];
  for (i64 j = 0; j < count; ++j) x[j] = c.x + c.x_phase[phase] + c.offset[first + j];
  float* const acc = c.acc + (phase * c.products + first) * tile_words;
  each<count>([&]<int j>() {
    if (c.add)
      unit.template load<j>(acc + j * tile_words, row_bytes);
    else
      unit.template zero<j>();
  });
  for (i64 row = 0; row < c.rows; ++row)
    for (i64 group = phase, at = row * c.x_row; group < c.groups; group += c.phases, at += c.x_group) {
      unit.stay_awake();
      unit.template load<5>(c.dy + (row * c.groups + group) * c.dy_group, row_bytes);
      multiply_each<count, 5, 6, 7>(unit, c.x_pair * 4, [&](i64 j) { return x[j] + at; });
    }
  each<count>([&]<int j>() { unit.template store<j>(acc + j * tile_words, row_bytes); });
}

template <class Unit>
inline void correlation(const TileCorrelation& given) {
  const TileCorrelation c = given;  // a copy: stores cannot alias it
  Unit unit({correlation_palette, c.dy_rows, c.columns});
  for (i64 phase = 0; phase < c.phases; ++phase) {
    i64 first = 0;
    for (; c.products - first == 5 || c.products - first > 8; first += 5) correlate<5>(unit, c, phase, first);
    for (i64 left = c.products - first; left > 0; left = c.products - first) {
      const i64 count = left > together ? (left + 1) / 2 : left;
      as_constant(count, [&]<int n>() { correlate<n>(unit, c, phase, first); });
      first += count;
    }
  }
}

}  // namespace
}  // namespace nw::cpu
