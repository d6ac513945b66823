// SPDX-License-Identifier: Apache-2.0
// What tiles need around their products, with the instructions for bfloat16 of AVX-512 (BF16 and VBMI). For sources
// that are compiled for them; the results are those of the vector kernels.
#pragma once
#include <immintrin.h>

#include "kernels/cpu/tiles/tile_ends.hpp"

namespace nw::cpu {
namespace {

// One instruction rounds two vectors, another interleaves them, with the numbers of the first vector in the low halves
// of the words. Subnormal numbers become zero, as in a product of tiles.
struct Interleaved {
  std::uint16_t at[32];
  constexpr Interleaved() : at{} {
    for (std::uint16_t i = 0; i < 32; ++i) at[i] = static_cast<std::uint16_t>(i / 2 + (i % 2) * 16);
  }
};
alignas(64) constexpr Interleaved interleaved;
inline __m512i rounded_pair(__m512 low, __m512 high, __m512i places) {
  return _mm512_permutexvar_epi16(places, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low)));
}

void pair_lanes(const LanePairs& given) {
  const LanePairs p = given;  // a copy: stores cannot alias it
  const __m512i places = _mm512_load_si512(interleaved.at);
  const auto row = [&](const float* from, i64 i) {
    return from ? _mm512_loadu_ps(from + i * p.step) : _mm512_setzero_ps();
  };
  for (i64 i = 0; i < p.count; ++i)
    _mm512_storeu_si512(p.to + i * p.to_step, rounded_pair(row(p.a, i), row(p.b, i), places));
}

/// The low and the high bytes of the 16-bit numbers that 256 byte values map to, 64 in a vector.
struct ByteTable {
  __m512i low[4], high[4];
  explicit ByteTable(const std::uint16_t* of) {
    for (int i = 0; i < 4; ++i) {
      const __m512i a = _mm512_loadu_si512(of + 64 * i), b = _mm512_loadu_si512(of + 64 * i + 32);
      low[i] = narrowed(a, b);
      high[i] = narrowed(_mm512_maskz_srli_epi16(~0u, a, 8), _mm512_maskz_srli_epi16(~0u, b, 8));
    }
  }
  static __m512i narrowed(__m512i a, __m512i b) {
    return _mm512_maskz_inserti64x4(0xff, _mm512_castsi256_si512(_mm512_maskz_cvtepi16_epi8(~0u, a)),
                                    _mm512_maskz_cvtepi16_epi8(~0u, b), 1);
  }
  static __m512i look_up(const __m512i (&table)[4], __m512i bytes, __mmask64 upper) {
    return _mm512_mask_blend_epi8(upper, _mm512_permutex2var_epi8(table[0], bytes, table[1]),
                                  _mm512_permutex2var_epi8(table[2], bytes, table[3]));
  }
};

/// Four rows of bytes as two rows of words: indices from 0 on select the low byte of a number, from 64 on the high
/// byte.
struct RowsOfWords {
  std::uint8_t at[2][64];
  constexpr RowsOfWords() : at{} {
    for (int row = 0; row < 2; ++row)
      for (int i = 0; i < 64; ++i)
        at[row][i] = static_cast<std::uint8_t>(32 * row + (i % 4 / 2) * 16 + i / 4 + i % 2 * 64);
  }
};
alignas(64) constexpr RowsOfWords rows_of_words;

// Computes two rows at once. With two tables both are looked up and the results blended.
template <bool two_tables>
void pair_bytes_by(const BytePairs& p) {
  constexpr std::uint64_t low_halves = 0x3333333333333333, high_halves = 0xcccccccccccccccc,
                          rows_of_b = 0xffff0000ffff0000;
  const __mmask64 there = (p.a ? low_halves : 0) | (p.b ? high_halves : 0);
  const std::uint8_t *const a = p.a ? p.a : p.b, *const b = p.b ? p.b : p.a;
  const ByteTable of_a(p.a ? p.of_a : p.of_b), of_b(p.of_b);
  const __m512i first = _mm512_load_si512(rows_of_words.at[0]), second = _mm512_load_si512(rows_of_words.at[1]);
  const auto row = [](const std::uint8_t* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); };
  for (i64 i = 0; i < p.count; i += 2) {
    const i64 next = i + 1 < p.count ? i + 1 : i;
    __m512i bytes = _mm512_castsi128_si512(row(a + i * p.step));
    bytes = _mm512_maskz_inserti32x4(0xffff, bytes, row(b + i * p.step), 1);
    bytes = _mm512_maskz_inserti32x4(0xffff, bytes, row(a + next * p.step), 2);
    bytes = _mm512_maskz_inserti32x4(0xffff, bytes, row(b + next * p.step), 3);
    const __mmask64 upper = _mm512_movepi8_mask(bytes);
    __m512i low = ByteTable::look_up(of_a.low, bytes, upper), high = ByteTable::look_up(of_a.high, bytes, upper);
    if (two_tables) {
      low = _mm512_mask_blend_epi8(rows_of_b, low, ByteTable::look_up(of_b.low, bytes, upper));
      high = _mm512_mask_blend_epi8(rows_of_b, high, ByteTable::look_up(of_b.high, bytes, upper));
    }
    _mm512_storeu_si512(p.to + i * p.to_step, _mm512_maskz_permutex2var_epi8(there, low, first, high));
    _mm512_storeu_si512(p.to + next * p.to_step, _mm512_maskz_permutex2var_epi8(there, low, second, high));
  }
}
void pair_bytes(const BytePairs& given) {
  const BytePairs p = given;
  if (!p.a && !p.b) {
    for (i64 i = 0; i < p.count; ++i) _mm512_storeu_si512(p.to + i * p.to_step, _mm512_setzero_si512());
  } else if (p.a && p.b && p.of_a != p.of_b) {
    pair_bytes_by<true>(p);
  } else {
    pair_bytes_by<false>(p);
  }
}

// A row of 32 adjacent numbers is already in the order of its words.
void weight_rows(const WeightRows& given) {
  const WeightRows t = given;
  for (i64 o = 0; o < tile_rows; ++o) {
    const auto some = [&](i64 first) {
      const i64 count = o < t.outs ? least(row_words, t.count - first) : 0;
      return count <= 0 ? _mm512_setzero_ps()
                        : _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), t.w + o * t.w_out + first);
    };
    _mm512_storeu_si512(t.to + o * row_words, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(some(row_words), some(0))));
  }
}

// The argmax bytes of both shards, interleaved, give the position in the window for both halves of a word.
template <int kernel_h, int kernel_w>
void pair_windows(const PooledPairs p) {  // a copy: stores cannot alias it
  const __m512i places = _mm512_load_si512(interleaved.at), upper = _mm512_set1_epi32(static_cast<int>(0xffff0000));
  const auto numbers = [&](int shard, i64 at) {
    if (!p.dy[shard]) return _mm512_setzero_ps();
    const __mmask16 open =
        p.gate[shard] ? _mm512_cmp_ps_mask(_mm512_loadu_ps(p.gate[shard] + at), _mm512_setzero_ps(), _CMP_NLE_UQ)
                      : __mmask16{0xffff};
    return _mm512_maskz_loadu_ps(open, p.dy[shard] + at);
  };
  const auto bytes = [&](int shard, i64 at) {
    return p.dy[shard] ? _mm_loadu_si128(reinterpret_cast<const __m128i*>(p.argmax[shard] + at)) : _mm_setzero_si128();
  };
  __m512 low = _mm512_setzero_ps(), high = _mm512_setzero_ps();
  for (i64 q = 0; q < p.count; ++q) {
    const i64 at = q * row_words;
    const __m512i w = rounded_pair(numbers(0, at), numbers(1, at), places);
    const __m128i a = bytes(0, at), b = bytes(1, at);
    const __m256i where = _mm256_set_m128i(_mm_unpackhi_epi8(a, b), _mm_unpacklo_epi8(a, b));
    std::uint32_t* const to = p.to + q * p.kernel_w * p.to_pixel;
    int here = 0;
#pragma GCC unroll 2
    for (i64 ky = 0; ky < (kernel_h ? kernel_h : p.kernel_h); ++ky)
#pragma GCC unroll 2
      for (i64 kx = 0; kx < (kernel_w ? kernel_w : p.kernel_w); ++kx, ++here)
        _mm512_storeu_si512(
            to + ky * p.to_row + kx * p.to_pixel,
            _mm512_maskz_mov_epi16(_mm256_cmpeq_epi8_mask(where, _mm256_set1_epi8(static_cast<char>(here))), w));
    low = _mm512_add_ps(low, _mm512_castsi512_ps(_mm512_maskz_slli_epi32(0xffff, w, 16)));
    high = _mm512_add_ps(high, _mm512_castsi512_ps(_mm512_and_si512(w, upper)));
  }
  if (p.sums) _mm512_storeu_ps(p.sums, _mm512_add_ps(_mm512_loadu_ps(p.sums), _mm512_add_ps(low, high)));
}

void pair_pooled(const PooledPairs& p) {
  if (p.kernel_h == 2 && p.kernel_w == 2)
    pair_windows<2, 2>(p);
  else
    pair_windows<0, 0>(p);
}

// Adds in the same order as sum_apart() of vector/simd.hpp.
void sum_rounded(const float* from, i64 count, float* acc) {
  const __m512i places = _mm512_load_si512(interleaved.at), high = _mm512_set1_epi32(static_cast<int>(0xffff0000));
  __m512 s[4] = {};
  const auto add_two = [&](i64 q, __m512& a, __m512& b) {
    const __m512i w =
        rounded_pair(_mm512_loadu_ps(from + q * row_words), _mm512_loadu_ps(from + (q + 1) * row_words), places);
    a = _mm512_add_ps(a, _mm512_castsi512_ps(_mm512_maskz_slli_epi32(0xffff, w, 16)));
    b = _mm512_add_ps(b, _mm512_castsi512_ps(_mm512_and_si512(w, high)));
  };
  i64 q = 0;
  for (; q + 4 <= count; q += 4) {
    add_two(q, s[0], s[1]);
    add_two(q + 2, s[2], s[3]);
  }
  for (; q < count; ++q)
    s[0] = _mm512_add_ps(
        s[0], _mm512_castsi512_ps(_mm512_maskz_slli_epi32(
                  0xffff, rounded_pair(_mm512_loadu_ps(from + q * row_words), _mm512_setzero_ps(), places), 16)));
  const __m512 sum = _mm512_add_ps(_mm512_add_ps(s[0], s[1]), _mm512_add_ps(s[2], s[3]));
  _mm512_storeu_ps(acc, _mm512_add_ps(_mm512_loadu_ps(acc), sum));
}

constexpr TileSupport bf16_support{.pair_lanes = pair_lanes,
                                   .weight_rows = weight_rows,
                                   .sum_rounded = sum_rounded,
                                   .pair_bytes = pair_bytes,
                                   .pair_pooled = pair_pooled};

}  // namespace
}  // namespace nw::cpu
