// SPDX-License-Identifier: Apache-2.0
// A tile unit of vectors: VDPBF16PS multiplies 16 pairs of numbers and adds to 16 sums. A tile that is loaded stays
// where it is until it is multiplied or stored, so its memory must not change before. Sums are added in the order of
// the pairs, those of at most eight rows in two halves, not in the order of AMX: the results differ by rounding.
#pragma once
#include <immintrin.h>

#include "kernels/cpu/tiles/tile_unit.hpp"

namespace nw::cpu {
namespace {

// Rows of the first operand follow each other in every kernel: addresses that are constants take no instruction.
constexpr std::int64_t a_step = 64;
constexpr int most_products = 5;

struct TilePlace {
  const char* at = nullptr;
  std::int64_t step = 0;  // bytes from one row to the next
};

/// Products of one tile by several; each result is added to its sums, 64 bytes a row.
struct Bf16Products {
  const char* a;
  TilePlace c[most_products], b[most_products];
  float* sums[most_products];
  int rows, pairs;
  __mmask16 columns;
};

// clang 16 crashes when it compiles the loop below with the intrinsic; GCC 12 is slower with the instruction.
inline void add_pairs(__m512& sum, __m512i a, __m512i b) {
#if defined(__clang__)
  asm("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
#else
  sum = _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
#endif
}

/// Rows from `first` on. Each number of a is loaded once for all products.
template <int rows, int products>
inline void multiply_rows(const Bf16Products& p, int first) {
  __m512 sums[products][rows];
#pragma GCC unroll 5
  for (int j = 0; j < products; ++j)
#pragma GCC unroll 16
    for (int m = 0; m < rows; ++m) sums[j][m] = _mm512_maskz_loadu_ps(p.columns, p.c[j].at + (first + m) * p.c[j].step);
  const char *a = p.a + first * a_step, *b[products];
#pragma GCC unroll 5
  for (int j = 0; j < products; ++j) b[j] = p.b[j].at;
  const __mmask16 columns = p.columns;
  const std::int64_t step = p.b[0].step;
  for (int k = p.pairs; k > 0; --k, a += 4) {
    __m512i row[products];
#pragma GCC unroll 5
    for (int j = 0; j < products; ++j) {
      row[j] = _mm512_maskz_loadu_epi32(columns, b[j]);
      b[j] += step;
    }
#pragma GCC unroll 16
    for (int m = 0; m < rows; ++m) {
      const __m512i number = _mm512_set1_epi32(*reinterpret_cast<const int*>(a + m * a_step));
#pragma GCC unroll 5
      for (int j = 0; j < products; ++j) add_pairs(sums[j][m], number, row[j]);
    }
  }
#pragma GCC unroll 5
  for (int j = 0; j < products; ++j) {
    float* const to = p.sums[j] + first * 16;
#pragma GCC unroll 16
    for (int m = 0; m < rows; ++m) _mm512_store_ps(to + m * 16, sums[j][m]);
  }
}

/// About 16 sums stay in registers: as many products must be under way.
template <int products>
void multiply_tiles(const Bf16Products& p) {
  constexpr int together = products == 1 ? 16 : products == 2 ? 8 : 4;
  int m = 0;
  for (; m + together <= p.rows; m += together) multiply_rows<together, products>(p, m);
  if constexpr (together > 8)
    for (; m + 8 <= p.rows; m += 8) multiply_rows<8, products>(p, m);
  if constexpr (together > 4)
    for (; m + 4 <= p.rows; m += 4) multiply_rows<4, products>(p, m);
  for (; m + 2 <= p.rows; m += 2) multiply_rows<2, products>(p, m);
  if (m < p.rows) multiply_rows<1, products>(p, m);
}

class Bf16Unit {
 public:
  explicit Bf16Unit(const TileSetup& s) : palette_(s.palette(s.a, s.b)) {}
  static void release() {}
  Bf16Unit(const Bf16Unit&) = delete;
  Bf16Unit& operator=(const Bf16Unit&) = delete;
  template <int t>
  void zero() {
    alignas(64) static constexpr float zeros[16] = {};
    load<t>(zeros, 0);
  }
  template <int t>
  void load(const void* from, std::int64_t stride) {
    at_[t] = {static_cast<const char*>(from), stride};
  }
  template <int t>
  void store(void* to, std::int64_t stride) const {
    const __mmask16 columns = columns_of(t);
    for (int m = 0; m < palette_.rows[t]; ++m)
      _mm512_mask_storeu_ps(static_cast<char*>(to) + m * stride, columns,
                            _mm512_maskz_loadu_ps(columns, at_[t].at + m * at_[t].step));
  }
  template <int c, int a, int b>
  void multiply() {
    multiply_by_all<1, a, b, c, 0>();
  }
  /// As the functions of the same names in tile_loops.hpp.
  template <int count, int a, int b, int c, int step>
  void multiply_by_all() {
    add_products<count, a, b, c, step>([&](int j) { return at_[b + j]; });
  }
  template <int count, int a, int b, int b2, class Place>
  void multiply_each(std::int64_t stride, Place place) {
    add_products<count, a, b, 0, 1>([&](int j) { return TilePlace{reinterpret_cast<const char*>(place(j)), stride}; });
  }
  void stay_awake() {}

 private:
  /// Tiles c, c + step, … += tile a times b_of(0), b_of(1), …, which are of the size of tile b.
  template <int count, int a, int b, int c, int step, class Places>
  void add_products(Places b_of) {
    Bf16Products p;
    p.a = at_[a].at;
    p.rows = palette_.rows[c];
    p.pairs = palette_.rows[b];
    p.columns = columns_of(c);
    for (int j = 0; j < count; ++j) {
      p.c[j] = at_[c + j * step];
      p.b[j] = b_of(j);
      p.sums[j] = sums_[c + j * step];
    }
    multiply_tiles<count>(p);
    for (int j = 0; j < count; ++j) at_[c + j * step] = {reinterpret_cast<const char*>(sums_[c + j * step]), 64};
  }
  __mmask16 columns_of(int t) const { return static_cast<__mmask16>((1u << (palette_.bytes[t] / 4)) - 1); }
  const TilePalette palette_;
  TilePlace at_[tile_count];
  alignas(64) float sums_[most_products][256];
};

}  // namespace
}  // namespace nw::cpu
