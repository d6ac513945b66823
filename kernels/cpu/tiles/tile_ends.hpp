// SPDX-License-Identifier: Apache-2.0
// Operations on the sums of tiles before they are stored: biases are added, and the sums are rectified, gated or
// pooled.
#pragma once
#include "kernels/cpu/tiles/tile_kernels.hpp"

namespace nw::cpu {
namespace {

using i64 = std::int64_t;
constexpr i64 row_bytes = row_words * 4, together = 4;
typedef float Lanes16 __attribute__((vector_size(64), aligned(4), may_alias));
typedef std::int32_t Ints16 __attribute__((vector_size(64)));
typedef std::uint8_t Bytes16 __attribute__((vector_size(16), aligned(1), may_alias));
inline i64 least(i64 a, i64 b) { return a < b ? a : b; }
inline i64 tiles_of(i64 n) { return (n + tile_rows - 1) / tile_rows; }
inline i64 rest_of(i64 n) { return n % tile_rows; }

/// The biases of a tile of outputs, and a tile with those biases as rows, repeated for each pixel of a group: the
/// initial value of sums that are pooled.
struct Biases {
  float of[tile_rows] = {};
  alignas(64) float rows[tile_words] = {};
  Biases(const TileProduct& p, i64 first, i64 outs) {
    for (i64 i = 0; p.bias && i < outs; ++i) of[i] = p.bias[first + i];
    for (i64 row = 0; p.pool && row < outs * p.group; ++row)
      *reinterpret_cast<Lanes16*>(rows + row * row_words) = of[row % outs] - Lanes16{};
  }
};

/// The operation on sums before they are stored.
enum class End { plain, relu, gate };

// `at`: offset of the first output of this pixel. The caller reads the addresses from `p` before the loop: the compiler
// must assume that a store changes `p`.
template <End end>
inline void end_pixel(const float* sums, const float* bias, i64 outs, float* y, const float* gate, i64 step) {
  for (i64 i = 0; i < outs; ++i, y += step) {
    Lanes16 v = *reinterpret_cast<const Lanes16*>(sums + i * row_words) + bias[i];
    if (end == End::relu) v = v <= 0.0f ? Lanes16{} : v;
    if (end == End::gate) {
      v = *reinterpret_cast<const Lanes16*>(gate) <= 0.0f ? Lanes16{} : v;
      gate += step;
    }
    *reinterpret_cast<Lanes16*>(y) = v;
  }
}

inline void end_pixels(const TileProduct& p, const float* sums, const float* bias, i64 o, i64 outs, i64 pixel,
                       i64 count) {
  for (i64 j = 0; j < count; ++j)
    for (i64 d = 0; d < p.group; ++d) {
      const i64 at = o * p.y_out + p.y_pixel[pixel + j] + d * p.y_next;
      const float* const from = sums + j * tile_words + d * outs * row_words;
      if (p.gate)
        end_pixel<End::gate>(from, bias, outs, p.y + at, p.gate + at, p.y_out);
      else if (p.relu)
        end_pixel<End::relu>(from, bias, outs, p.y + at, nullptr, p.y_out);
      else
        end_pixel<End::plain>(from, bias, outs, p.y + at, nullptr, p.y_out);
    }
}

// The first maximum wins, NaN is larger than every number, as in vector/pool.cpp.
inline void end_window(const float* sums, const TilePool& pool, i64 outs, float* y, std::uint8_t* argmax, i64 step) {
  const std::int32_t member[4] = {pool.member[0], pool.member[1], pool.member[2], pool.member[3]};
  for (i64 i = 0; i < outs; ++i, y += step, sums += row_words) {
    Lanes16 best = *reinterpret_cast<const Lanes16*>(sums + member[0]);
    Ints16 where = {};
#pragma GCC unroll 4
    for (int n = 1; n < 4; ++n) {
      const Lanes16 v = *reinterpret_cast<const Lanes16*>(sums + member[n]);
      const Ints16 better = ~(v <= best) & (best == best);
      best = better ? v : best;
      where = better ? Ints16{} + n : where;
    }
    *reinterpret_cast<Lanes16*>(y) = best <= 0.0f ? Lanes16{} : best;
    if (argmax) *reinterpret_cast<Bytes16*>(argmax + i * step) = __builtin_convertvector(where, Bytes16);
  }
}

inline void end_windows(const TileProduct& p, const float* sums, i64 o, i64 outs, i64 pixel, i64 count) {
  const TilePool pool = *p.pool;
  const i64 tiles = 4 / p.group;
  for (i64 j = 0; j < count; j += tiles) {
    const i64 at = o * p.y_out + p.y_pixel[(pixel + j) / tiles];
    end_window(sums + j * tile_words, pool, outs, p.y + at, pool.argmax ? pool.argmax + at : nullptr, p.y_out);
  }
}

}  // namespace
}  // namespace nw::cpu
