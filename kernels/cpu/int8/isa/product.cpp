// SPDX-License-Identifier: Apache-2.0
// Convolutions and linear layers: tiles of a few pixels and a few blocks of output channels, whose sums stay in
// registers while all inputs of these pixels are read once.
#include "kernels/cpu/int8/isa/functions.hpp"
#include "kernels/cpu/int8/isa/outputs.hpp"

namespace nw::int8::NW_INT8_ISA {
namespace {

struct Tile {
  const std::uint8_t* in[2 * rows_at_once];
  std::uint8_t* out[2 * rows_at_once];
  i64 pixel;
};

/// Pixels of a tile with B blocks: as many as registers hold sums, so that products need not wait for each other.
template <int B>
constexpr int most_rows = blocks_at_once == 4 && B <= 2 ? 12 : rows_at_once;

template <int M, int B>
void tile(const Product& p, const Tile& t, i64 b) {
  const i64 run = (p.run + 3) / 4 * 4, each = std::ssize(p.runs) * run * block;
  const std::int8_t* w = p.constants->weights.data() + b * each;
  Part sums[M][B][parts] = {};
  for (const i64 offset : p.runs)
    for (i64 k = 0; k < run; k += depth, w += depth * block)
#pragma GCC unroll 12
      for (int m = 0; m < M; ++m) {
        const Part in = inputs(t.in[m] + offset + k);
#pragma GCC unroll 4
        for (int n = 0; n < B; ++n)
#pragma GCC unroll 4
          for (int i = 0; i < parts; ++i) sums[m][n][i] = add_products(sums[m][n][i], in, w + n * each, i);
      }
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < B; ++n) {
      Ints all;
      std::memcpy(&all, sums[m][n], sizeof all);
      finish(p, t.out[m], t.pixel + m, b + n, all);
    }
}

template <int B>
void tile_of(const Product& p, const Tile& t, i64 b, i64 rows) {
  if constexpr (most_rows<B> == 12)
    if (rows == 12) return tile<12, B>(p, t, b);
  if constexpr (rows_at_once > 2) {
    if (rows == 6) return tile<6, B>(p, t, b);
    if (rows == 5) return tile<5, B>(p, t, b);
    if (rows == 4) return tile<4, B>(p, t, b);
    if (rows == 3) return tile<3, B>(p, t, b);
  }
  return rows == 2 ? tile<2, B>(p, t, b) : tile<1, B>(p, t, b);
}

template <int B>
void columns(const Product& p, Range pixels, i64 b) {
  Walk walk(p, pixels.first);
  for (i64 at = pixels.first; at < pixels.last;) {
    const i64 left = pixels.last - at, rows = left >= most_rows<B>  ? most_rows<B>
                                              : left < rows_at_once ? left
                                                                    : rows_at_once;
    Tile t;
    t.pixel = at;
    for (i64 m = 0; m < rows; ++m, walk.next()) {
      t.in[m] = walk.in();
      t.out[m] = walk.out();
    }
    tile_of<B>(p, t, b, rows);
    at += rows;
  }
}

}  // namespace

void product(const Product& p, Range pixels, Range blocks) {
  i64 b = blocks.first;
  if constexpr (blocks_at_once == 4) {
    for (; b + 4 <= blocks.last; b += 4) columns<4>(p, pixels, b);
    for (; b + 2 <= blocks.last; b += 2) columns<2>(p, pixels, b);
  }
  for (; b < blocks.last; ++b) columns<1>(p, pixels, b);
}

}  // namespace nw::int8::NW_INT8_ISA
