// SPDX-License-Identifier: Apache-2.0
// Weight gradients. Convolution: each weight has 16 accumulators, one per image, that are added at the end. Linear layers:
// images are the inner loop, a gradient is broadcast, 16 inputs are one vector.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

constexpr int most_outs = 4, most_columns = width == 16 ? 6 : 2;

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
      case 1: tile<o, 1>(g, first_out, c); break;
      case 2: tile<o, 2>(g, first_out, c); break;
      case 3: tile<o, most_columns >= 3 ? 3 : 1>(g, first_out, c); break;
      case 4: tile<o, most_columns >= 4 ? 4 : 1>(g, first_out, c); break;
      case 5: tile<o, most_columns >= 5 ? 5 : 1>(g, first_out, c); break;
      default: tile<o, most_columns>(g, first_out, c); break;
    }
  }
}

// Neighbouring pairs of a, then of b, summed.
NW_INLINE Vec pair_sums(Vec a, Vec b) {
  IntVec even, odd;
  for (int i = 0; i < width; ++i) {
    even[i] = 2 * i;
    odd[i] = 2 * i + 1;
  }
  return shuffle(a, b, even) + shuffle(a, b, odd);
}

}  // namespace

void weight_gradient(const WeightGradient& g) {
  const i64 tiles = (g.outs + most_outs - 1) / most_outs;
  for (i64 i = 0; i < tiles; ++i) {
    const i64 o = g.outs * i / tiles;
    switch (g.outs * (i + 1) / tiles - o) {
      case 1: tiles_of_columns<1>(g, o); break;
      case 2: tiles_of_columns<2>(g, o); break;
      case 3: tiles_of_columns<3>(g, o); break;
      default: tiles_of_columns<4>(g, o); break;
    }
  }
}

// `width` accumulators at a time: halving their number log2(width) times leaves one vector of sums.
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
  for (int lane = 0; lane < lanes; lane += width) {
    Vec s = load(acc + lane);
    for (i64 q = 0; q < count; ++q) s += load(from + q * lanes + lane);
    store(acc + lane, s);
  }
}

namespace {

static_assert(panel_columns % (width * 2) == 0 && panel_columns >= width * 4);
constexpr int outer_outs = width == 16 ? 6 : 4, outer_vectors = width == 16 ? 4 : 2, outer_columns = outer_vectors * width;

template <int outs>
void outer_tile(const OuterProduct& p, i64 o, i64 column) {
  Vec acc[outs][outer_vectors] = {};
  const float* x = p.xt + column / panel_columns * p.xt_panel + column % panel_columns;
  for (i64 shard = 0; shard < p.shards; ++shard) {
    const float* dy = p.dy + shard * p.dy_shard + o * lanes;
    for (int lane = 0; lane < lanes; ++lane, ++dy, x += panel_columns) {
      Vec v[outer_vectors];
#pragma GCC unroll 8
      for (int j = 0; j < outer_vectors; ++j) v[j] = load(x + j * width);
#pragma GCC unroll 8
      for (int i = 0; i < outs; ++i) {
        const Vec d = all(dy[i * lanes]);
#pragma GCC unroll 8
        for (int j = 0; j < outer_vectors; ++j) acc[i][j] += d * v[j];
      }
    }
  }
  const i64 count = p.ins - column;
  for (int i = 0; i < outs; ++i) {
    float* to = p.dw + (o + i) * p.ins + column;
    if (count >= outer_columns) {
#pragma GCC unroll 8
      for (int j = 0; j < outer_vectors; ++j) store(to + j * width, p.add ? load(to + j * width) + acc[i][j] : acc[i][j]);
    } else {
      for (i64 e = 0; e < count; ++e) to[e] = (p.add ? to[e] : 0.0f) + acc[i][e / width][e % width];
    }
  }
}

void outer_tiles(const OuterProduct& p, i64 o, i64 outs, i64 column) {
  switch (outs) {
    case 1: return outer_tile<1>(p, o, column);
    case 2: return outer_tile<2>(p, o, column);
    case 3: return outer_tile<3>(p, o, column);
    case 4: return outer_tile<4>(p, o, column);
    case 5: return outer_tile<outer_outs >= 5 ? 5 : 1>(p, o, column);
    default: return outer_tile<outer_outs>(p, o, column);
  }
}

}  // namespace

// Columns outermost: a block of xt's columns stays in the first cache for all of this task's outputs. Reading past `ins` is
// safe: the last panel of xt has room for a whole block.
void outer_product(const OuterProduct& p) {
  const i64 outs = p.last_out - p.first_out, tiles = (outs + outer_outs - 1) / outer_outs;
  for (i64 column = 0; column < p.ins; column += outer_columns)
    for (i64 i = 0; i < tiles; ++i) {
      const i64 o = outs * i / tiles, end = outs * (i + 1) / tiles;
      outer_tiles(p, p.first_out + o, end - o, column);
    }
  for (i64 o = p.first_out; p.db && o < p.last_out; ++o) {
    float acc[lanes] = {};
    for (i64 shard = 0; shard < p.shards; ++shard) sum_pixels(p.dy + shard * p.dy_shard + o * lanes, 1, acc);
    sum_lanes(acc, 1, p.db + o, false);
  }
}

}  // namespace nw::cpu::NW_ISA
