// SPDX-License-Identifier: Apache-2.0
// Weight gradients of convolutions: each weight has 16 accumulators, one per image, that are added at the end.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

constexpr int max_outs = 4, most_columns = width == 16 ? 6 : 2;

template <int outs, int columns>
void tile(const WeightGradient& g, i64 o, i64 c) {
  for (int lane = 0; lane < lanes; lane += width) {
    Vec acc[outs][columns];
    float* const to = g.acc + (o * g.columns + c) * lanes + lane;
#pragma GCC unroll 8
    for (int i = 0; i < outs; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < columns; ++j) acc[i][j] = load(to + (i * g.columns + j) * lanes);
    i64 at[columns];
#pragma GCC unroll 8
    for (int j = 0; j < columns; ++j) at[j] = g.column[c + j];
    for (i64 row = 0, shard = 0; shard < g.shards; row + 1 < g.rows ? ++row : (row = 0, ++shard)) {
      const float* x = g.x + shard * g.x_shard + row * g.x_row + lane;
      const float* dy = g.dy + shard * g.dy_shard + o * g.dy_out + row * g.dy_row + lane;
      for (i64 q = 0; q < g.row_pixels; ++q, x += g.x_pixel, dy += lanes) {
        Vec d[outs];
#pragma GCC unroll 8
        for (int i = 0; i < outs; ++i) d[i] = load(dy + i * g.dy_out);
#pragma GCC unroll 8
        for (int j = 0; j < columns; ++j) {
          const Vec v = load(x + at[j]);
#pragma GCC unroll 8
          for (int i = 0; i < outs; ++i) acc[i][j] += d[i] * v;
        }
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < outs; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < columns; ++j) store(to + (i * g.columns + j) * lanes, acc[i][j]);
  }
}

template <int o>
void tiles_of_columns(const WeightGradient& g, i64 first_out) {
  const i64 tiles = (g.columns + most_columns - 1) / most_columns;
  for (i64 j = 0; j < tiles; ++j) {
    const i64 c = g.columns * j / tiles;
    switch (g.columns * (j + 1) / tiles - c) {
      case 1:
        tile<o, 1>(g, first_out, c);
        break;
      case 2:
        tile<o, 2>(g, first_out, c);
        break;
      case 3:
        tile<o, most_columns >= 3 ? 3 : 1>(g, first_out, c);
        break;
      case 4:
        tile<o, most_columns >= 4 ? 4 : 1>(g, first_out, c);
        break;
      case 5:
        tile<o, most_columns >= 5 ? 5 : 1>(g, first_out, c);
        break;
      default:
        tile<o, most_columns>(g, first_out, c);
        break;
    }
  }
}

constexpr Places every_second(int first) {
  Places p{};
  for (int i = 0; i < width; ++i) p.at[i] = 2 * i + first;
  return p;
}
constexpr Places even_places = every_second(0), odd_places = every_second(1);

// The sums of adjacent pairs of a, then of b.
NW_INLINE Vec pair_sums(Vec a, Vec b) { return shuffle(a, b, even_places.load()) + shuffle(a, b, odd_places.load()); }

}  // namespace

void weight_gradient(const WeightGradient& g) {
  const i64 tiles = (g.outs + max_outs - 1) / max_outs;
  for (i64 i = 0; i < tiles; ++i) {
    const i64 o = g.outs * i / tiles;
    switch (g.outs * (i + 1) / tiles - o) {
      case 1:
        tiles_of_columns<1>(g, o);
        break;
      case 2:
        tiles_of_columns<2>(g, o);
        break;
      case 3:
        tiles_of_columns<3>(g, o);
        break;
      default:
        tiles_of_columns<4>(g, o);
        break;
    }
  }
}

// `width` accumulators at a time: log2(width) halvings reduce them to one vector of sums.
void sum_lanes(const float* acc, i64 count, float* out, bool add) {
  for (i64 first = 0; first < count; first += width) {
    Vec v[width];
    for (int i = 0; i < width; ++i) {
      v[i] = Vec{};
      if (first + i < count)
        for (int lane = 0; lane < lanes; lane += width) v[i] += load(acc + (first + i) * lanes + lane);
    }
#pragma GCC unroll 4
    for (int left = width; left > 1; left /= 2)
#pragma GCC unroll 8
      for (int i = 0; i < left / 2; ++i) v[i] = pair_sums(v[2 * i], v[2 * i + 1]);
    for (int i = 0; i < width && first + i < count; ++i) out[first + i] = add ? out[first + i] + v[0][i] : v[0][i];
  }
}

void sum_parts(const float* parts, i64 stride, i64 count, i64 elements, float* out) {
  i64 e = 0;
  for (; e + width <= elements; e += width) {
    Vec s = load(parts + e);
    for (i64 p = 1; p < count; ++p) s += load(parts + p * stride + e);
    store(out + e, s);
  }
  for (; e < elements; ++e) {
    float s = parts[e];
    for (i64 p = 1; p < count; ++p) s += parts[p * stride + e];
    out[e] = s;
  }
}

void sum_pixels(const float* from, i64 count, float* acc) {
  for (int lane = 0; lane < lanes; lane += width)
    store(acc + lane,
          load(acc + lane) + sum_apart(count, [&](i64 q) NW_INLINE_LAMBDA { return load(from + q * lanes + lane); }));
}

}  // namespace nw::cpu::NW_ISA
