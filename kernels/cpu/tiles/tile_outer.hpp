// SPDX-License-Identifier: Apache-2.0
// The weight gradient of linear layers, and the sum of its squares.
#pragma once
#include <algorithm>

#include "kernels/cpu/tiles/tile_loops.hpp"

namespace nw::cpu {
namespace {

// Tiles 4 and 5 hold the operands; all tiles are whole.
inline TilePalette whole_palette(i64, i64) {
  TilePalette p;
  for (int t = 0; t < 6; ++t) p.set(t, tile_rows, row_bytes);
  return p;
}

// Stores the part of an edge tile that is inside.
inline void put_inside(const float* sums, i64 rows, i64 columns, float* to, i64 step) {
  for (i64 i = 0; i < least(rows, tile_rows); ++i)
    std::copy_n(sums + i * row_words, least(columns, row_words), to + i * step);
}

// The sum of the squares of what a task stores, so that no later pass has to read it. Floats for some rows, then
// doubles.
class SumOfSquares {
 public:
  void add(const float* from, i64 step, i64 columns) {
    for (i64 i = 0; i < tile_rows; ++i)
      for (i64 j = 0; j < columns; ++j) {
        const Lanes16 v = *reinterpret_cast<const Lanes16*>(from + i * step + j * row_words);
        sums_[j] += v * v;
      }
  }
  void widen() {
    const Lanes16 all = (sums_[0] + sums_[1]) + (sums_[2] + sums_[3]);
    for (i64 i = 0; i < row_words; ++i) total_ += static_cast<double>(all[i]);
    for (Lanes16& s : sums_) s = Lanes16{};
  }
  double total() const { return total_; }

 private:
  Lanes16 sums_[together] = {};
  double total_ = 0;
};

// A block of whole tiles is squared while the next one is computed, since a store cannot be read back at once.
template <class Unit>
inline void outer(const TileOuter& given) {
  const TileOuter p = given;  // a copy: stores cannot alias it
  Unit unit({whole_palette});
  const i64 out_tiles = tiles_of(p.outs), in_tiles = tiles_of(p.ins), next_dy = out_tiles * tile_words,
            next_x = in_tiles * tile_words;
  SumOfSquares squares;
  const float* stored = nullptr;
  i64 stored_columns = 0;
  for (i64 first = 0; first < in_tiles; first += together)
    for (i64 o = 0; o < out_tiles; ++o)
      as_constant(least(together, in_tiles - first), [&]<int count>() {
        each<count>([&]<int j>() { unit.template zero<j>(); });
        const std::uint32_t *dy = p.dy + o * tile_words, *x = p.x + first * tile_words;
        for (i64 u = 0; u < p.units; ++u, dy += next_dy, x += next_x) {
          unit.stay_awake();
          unit.template load<4>(dy, row_bytes);
          multiply_each<count, 4, 5, 5>(unit, row_bytes, [&](i64 j) { return x + j * tile_words; });
        }
        if (stored) squares.add(stored, p.dw_out, stored_columns);
        if (o % 4 == 0) squares.widen();
        float* const to = p.dw + o * tile_rows * p.dw_out + first * tile_rows;
        const bool whole = p.outs - o * tile_rows >= tile_rows && p.ins - first * tile_rows >= count * tile_rows;
        stored = whole && p.squares ? to : nullptr;
        stored_columns = count;
        if (whole) return each<count>([&]<int j>() { unit.template store<j>(to + j * tile_rows, p.dw_out * 4); });
        each<count>([&]<int j>() {
          alignas(64) float sums[tile_words];
          unit.template store<j>(sums, row_bytes);
          squares.add(sums, row_words, 1);
          put_inside(sums, p.outs - o * tile_rows, p.ins - (first + j) * tile_rows, to + j * tile_rows, p.dw_out);
        });
      });
  if (!p.squares) return;
  if (stored) squares.add(stored, p.dw_out, stored_columns);
  squares.widen();
  *p.squares = squares.total();
}

}  // namespace
}  // namespace nw::cpu
