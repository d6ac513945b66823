// SPDX-License-Identifier: Apache-2.0
// The vector functions that tiles of bfloat16 (see tiles/tile_unit.hpp) require: rounding and packing numbers in pairs,
// and the arithmetic of the emulated unit. Part of VectorKernels; the same rules apply. A "word" is two bfloat16, a row
// is 16 words: 64 bytes.
#pragma once
#include <cstdint>

namespace nw::cpu {

inline constexpr std::int64_t row_words = 16, tile_rows = 16, tile_words = row_words * tile_rows;

/// Row i, `to_step` words after the previous one, has the 16 lanes at a + i * step in the low halves of its words and
/// those at b + i * step in the high halves, all rounded as by math::round_bf16.
struct LanePairs {
  const float *a, *b;        // null: zeros
  std::int64_t step, count;  // floats; rows
  std::uint32_t* to;
  std::int64_t to_step;
};

/// Rows 2 i and 2 i + 1 receive the low and the high halves of row i of `a` in their own low halves, and those of `b`
/// in their high halves.
struct ShardPairs {
  const std::uint32_t *a, *b;  // null: zeros
  std::int64_t count;          // rows of a
  std::uint32_t* to;
};

/// LanePairs from bytes, each of which maps to a number that is already rounded.
struct BytePairs {
  const std::uint8_t *a, *b;         // null: zeros
  const std::uint16_t *of_a, *of_b;  // [256]: the bfloat16 of each byte
  std::int64_t step, count;          // bytes; rows
  std::uint32_t* to;
  std::int64_t to_step;
};

/// The gradient of a row of a max pool's windows for the pixels they cover: each half of a pixel's words (the low half
/// for shard 0) is the window's gradient if that pixel had the maximum, rounded as in LanePairs, and zero otherwise.
struct PooledPairs {
  const float *dy[2], *gate[2];  // gate: null, or no gradient where it is <= 0; dy[1]: null without a second shard
  const std::uint8_t* argmax[2];
  std::int64_t count, kernel_h, kernel_w;  // windows; their size
  std::uint32_t* to;
  std::int64_t to_row, to_pixel;  // words from one row of pixels, from one pixel to the next
  float* sums;                    // may be null: 16 numbers to which the sums of those gradients are added
};

/// A tile: word k of row o holds w[o * w_out + at[2 k]] and w[o * w_out + at[2 k + 1]], rounded; zero for -1 and for
/// rows and words beyond `outs` and `pairs`.
struct WeightTile {
  const float* w;
  std::int64_t w_out, outs, pairs;
  const std::int32_t* at;  // [2 * pairs]
  std::uint32_t* to;       // [16][16]
};

/// The same where the sum runs over adjacent numbers: word k of row o holds w[o * w_out + 2 k] and the next number.
/// `count` numbers of each of `outs` rows, at most 32, followed by zeros.
struct WeightRows {
  const float* w;
  std::int64_t w_out, outs, count;
  std::uint32_t* to;  // [16][16]
};

/// A transposed tile of weights: from 8 words (16 numbers) of each of 32 rows of two tiles; word k of row i holds
/// number i of rows 2 k and 2 k + 1.
struct TurnedRows {
  const std::uint32_t *a, *b;  // tiles; null: zeros
  std::int64_t word;           // the first, 0 or 8
  std::uint32_t* to;           // [16][16]
};

/// c[m][n] += sum over k and both halves of a[m][k] * b[k][n], rows 16 words apart; equal to TDPBF16PS bit by bit.
struct TileMultiply {
  const std::uint32_t *a, *b;
  float* c;
  int rows, pairs, columns;  // m, k, n
};

struct TileSupport {
  void (*pair_lanes)(const LanePairs&) = nullptr;
  void (*weight_tile)(const WeightTile&) = nullptr;
  void (*weight_rows)(const WeightRows&) = nullptr;
  /// 16 lanes at `acc` += the sum of `count` adjacent lanes vectors, each rounded first.
  void (*sum_rounded)(const float* from, std::int64_t count, float* acc) = nullptr;
  /// 16 lanes at acc + 16 i += the low halves of row i, then its high halves; rows of the two shards alternate.
  void (*sum_halves)(const std::uint32_t* rows, std::int64_t count, float* acc) = nullptr;
  void (*multiply)(const TileMultiply&) = nullptr;
  void (*turn_rows)(const TurnedRows&) = nullptr;
  void (*pair_shards)(const ShardPairs&) = nullptr;
  void (*pair_bytes)(const BytePairs&) = nullptr;
  void (*pair_pooled)(const PooledPairs&) = nullptr;
  /// 16 numbers at `acc` += the columns of adjacent tiles, summed over all rows and both halves of each word.
  void (*sum_columns)(const std::uint32_t* tiles, std::int64_t count, float* acc) = nullptr;
};

}  // namespace nw::cpu
