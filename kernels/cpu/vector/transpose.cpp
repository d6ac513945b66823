// SPDX-License-Identifier: Apache-2.0
// Between rows of samples and lanes: blocks of 16 x 16 floats, transposed in registers.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

// A square of `width` rows in place: in round r, rows that differ in bit r swap the elements that do.
NW_INLINE void transpose(Vec (&v)[width]) {
#pragma GCC unroll 4
  for (int bit = 1; bit < width; bit *= 2) {
    IntVec low, high;
    for (int i = 0; i < width; ++i) {
      low[i] = i & bit ? width + i - bit : i;
      high[i] = i & bit ? width + i : i + bit;
    }
#pragma GCC unroll 16
    for (int i = 0; i < width; ++i) {
      if (i & bit) continue;
      const Vec a = v[i], b = v[i + bit];
      v[i] = shuffle(a, b, low);
      v[i + bit] = shuffle(a, b, high);
    }
  }
}

// 16 x 16 floats from rows at `from_row` to rows at `to_row`, transposed.
void block(const float* from, i64 from_row, float* to, i64 to_row) {
  for (int y = 0; y < lanes; y += width)
    for (int x = 0; x < lanes; x += width) {
      Vec v[width];
#pragma GCC unroll 16
      for (int i = 0; i < width; ++i) v[i] = load(from + (y + i) * from_row + x);
      transpose(v);
#pragma GCC unroll 16
      for (int i = 0; i < width; ++i) store(to + (x + i) * to_row + y, v[i]);
    }
}

}  // namespace

void rows_from_lanes(const float* from, i64 elements, float* rows, i64 stride) {
  i64 e = 0;
  for (; e + lanes <= elements; e += lanes) block(from + e * lanes, lanes, rows + e, stride);
  if (e == elements) return;
  float rest[lanes * lanes] = {};
  for (i64 i = 0; i < (elements - e) * lanes; ++i) rest[i] = from[e * lanes + i];
  block(rest, lanes, rows + e, stride);
}

void lanes_from_rows(const float* rows, i64 channels, i64 pixels, i64 valid, float* to) {
  const i64 elements = channels * pixels;
  i64 e = 0;
  if (valid >= lanes && (channels == 1 || pixels == 1))
    for (; e + lanes <= elements; e += lanes) block(rows + e, elements, to + e * lanes, lanes);
  for (; e < elements; ++e) {
    const i64 c = e / pixels, q = e % pixels;
    for (i64 lane = 0; lane < lanes; ++lane) to[e * lanes + lane] = lane < valid ? rows[lane * elements + q * channels + c] : 0.0f;
  }
}

}  // namespace nw::cpu::NW_ISA
