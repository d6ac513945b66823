// SPDX-License-Identifier: Apache-2.0
// Weight gradients of linear layers and of Winograd's form: images are the inner loop, a gradient is broadcast, inputs
// are the vectors.
#include "kernels/cpu/vector/sources.hpp"
#include "kernels/cpu/vector/tiles.hpp"

namespace nw::cpu::NW_ISA {
namespace {

static_assert(panel_columns % (width * 2) == 0 && panel_columns >= width * 4);
constexpr int outer_vectors = width == 16 ? 4 : 2, outer_columns = outer_vectors * width;

// The sum of the squares of the first `count` columns: in float, which is faster, or in double if the sum is outside
// the range in which float is accurate.
template <int outs, int vectors>
double square_sum_of(const Vec (&acc)[outs][vectors], i64 count) {
  Vec quick = {};
  for (int i = 0; i < outs; ++i)
    for (int j = 0; j < vectors; ++j) quick += acc[i][j] * acc[i][j];
  const double total = sum(widen(quick));
  if (count >= vectors * width && total > 1e-24 && total < 1e36) return total;
  double careful = 0;
  for (int i = 0; i < outs; ++i)
    for (i64 e = 0; e < (count < vectors * width ? count : vectors * width); ++e) {
      const double v = static_cast<double>(acc[i][e / width][e % width]);
      careful += v * v;
    }
  return careful;
}

template <int outs, int vectors>
void outer_tile(const OuterProduct& p, i64 o, i64 column) {
  Vec acc[outs][vectors] = {};
  const float* x = p.xt + column / panel_columns * p.xt_panel + column % panel_columns;
  for (i64 shard = 0; shard < p.shards; ++shard) {
    const float* dy = p.dy + shard * p.dy_shard + o * p.dy_out;
    for (int lane = 0; lane < lanes; ++lane, ++dy, x += panel_columns) {
      Vec v[vectors];
#pragma GCC unroll 8
      for (int j = 0; j < vectors; ++j) v[j] = load(x + j * width);
#pragma GCC unroll 8
      for (int i = 0; i < outs; ++i) {
        const Vec d = all(dy[i * p.dy_out]);
#pragma GCC unroll 8
        for (int j = 0; j < vectors; ++j) acc[i][j] += d * v[j];
      }
    }
  }
  const i64 count = p.ins - column;
#pragma GCC unroll 8
  for (int i = 0; i < outs; ++i) {
    float* to = p.dw + (o + i) * p.dw_out + column;
    if (count >= vectors * width) {
#pragma GCC unroll 8
      for (int j = 0; j < vectors; ++j) {
        if (p.add) acc[i][j] += load(to + j * width);
        store(to + j * width, acc[i][j]);
      }
    } else {
      for (i64 e = 0; e < count; ++e) {
        if (p.add) acc[i][e / width][e % width] += to[e];
        to[e] = acc[i][e / width][e % width];
      }
    }
  }
  if (p.squares) *p.squares += square_sum_of<outs, vectors>(acc, count);
}

using OuterTile = void (*)(const OuterProduct&, i64, i64);
// Accumulators stay in registers: fewer vectors of columns leave registers for more outputs.
constexpr int max_outer_outs(int vectors) { return width == 16 ? (vectors > 3 ? 6 : 8) : vectors > 1 ? 4 : 8; }

template <int vectors>
OuterTile outer_tile_of(i64 outs) {
  constexpr int most = max_outer_outs(vectors);
  switch (outs) {
    case 1:
      return outer_tile<1, vectors>;
    case 2:
      return outer_tile<2, vectors>;
    case 3:
      return outer_tile<3, vectors>;
    case 4:
      return outer_tile<4, vectors>;
    case 5:
      return outer_tile < most >= 5 ? 5 : 1, vectors > ;
    case 6:
      return outer_tile < most >= 6 ? 6 : 1, vectors > ;
    case 7:
      return outer_tile < most >= 7 ? 7 : 1, vectors > ;
    default:
      return outer_tile<most, vectors>;
  }
}
OuterTile outer_tile_of(i64 outs, i64 vectors) {
  switch (vectors) {
    case 1:
      return outer_tile_of<1>(outs);
    case 2:
      return outer_tile_of<2>(outs);
    case 3:
      return outer_tile_of < outer_vectors >= 3 ? 3 : 1 > (outs);
    default:
      return outer_tile_of<outer_vectors>(outs);
  }
}

}  // namespace

// The loop over columns is the outermost: a block of xt's columns stays in the L1 cache for all of the task's outputs.
// Reading past `ins` is safe, because the last panel of xt has room for a whole block.
void outer_product(const OuterProduct& p) {
  for (i64 column = 0; column < p.ins; column += outer_columns) {
    const i64 left = p.ins - column, vectors = left < outer_columns ? (left + width - 1) / width : outer_vectors;
    const Parts outs(p.last_out - p.first_out, max_outer_outs(static_cast<int>(vectors)));
    for (i64 i = 0; i < outs.parts; ++i)
      outer_tile_of(outs.begin(i + 1) - outs.begin(i), vectors)(p, p.first_out + outs.begin(i), column);
  }
}

}  // namespace nw::cpu::NW_ISA
