// SPDX-License-Identifier: Apache-2.0
// The kernels on the processor's tiles. Compiled for AVX-512 too; nothing here is inline elsewhere.
#include <immintrin.h>

#include "kernels/cpu/tiles/amx_unit.hpp"
#include "kernels/cpu/tiles/tile_loops.hpp"

namespace nw::cpu::amx {
namespace {

// One instruction rounds two vectors, one interleaves them: the first's numbers in the words' low halves. Numbers too small to be
// normal become zero, as they do in a product of tiles.
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
  const LanePairs p = given;   // a copy: no store can change it
  const __m512i places = _mm512_load_si512(interleaved.at);
  const auto row = [&](const float* from, i64 i) { return from ? _mm512_loadu_ps(from + i * p.step) : _mm512_setzero_ps(); };
  for (i64 i = 0; i < p.count; ++i) _mm512_storeu_si512(p.to + i * p.to_step, rounded_pair(row(p.a, i), row(p.b, i), places));
}

// 32 numbers side by side are one row as they are.
void weight_rows(const WeightRows& given) {
  const WeightRows t = given;
  for (i64 o = 0; o < tile_rows; ++o) {
    const auto some = [&](i64 first) {
      const i64 count = o < t.outs ? least(row_words, t.count - first) : 0;
      return count <= 0 ? _mm512_setzero_ps() : _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), t.w + o * t.w_out + first);
    };
    _mm512_storeu_si512(t.to + o * row_words, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(some(row_words), some(0))));
  }
}

// In the order of vector/simd.hpp's sum_apart.
void sum_rounded(const float* from, i64 count, float* acc) {
  const __m512i places = _mm512_load_si512(interleaved.at), high = _mm512_set1_epi32(static_cast<int>(0xffff0000));
  __m512 s[4] = {};
  const auto add_two = [&](i64 q, __m512& a, __m512& b) {
    const __m512i w = rounded_pair(_mm512_loadu_ps(from + q * row_words), _mm512_loadu_ps(from + (q + 1) * row_words), places);
    a = _mm512_add_ps(a, _mm512_castsi512_ps(_mm512_maskz_slli_epi32(0xffff, w, 16)));
    b = _mm512_add_ps(b, _mm512_castsi512_ps(_mm512_and_si512(w, high)));
  };
  i64 q = 0;
  for (; q + 4 <= count; q += 4) {
    add_two(q, s[0], s[1]);
    add_two(q + 2, s[2], s[3]);
  }
  for (; q < count; ++q)
    s[0] = _mm512_add_ps(s[0], _mm512_castsi512_ps(_mm512_maskz_slli_epi32(0xffff, rounded_pair(_mm512_loadu_ps(from + q * row_words), _mm512_setzero_ps(), places), 16)));
  const __m512 sum = _mm512_add_ps(_mm512_add_ps(s[0], s[1]), _mm512_add_ps(s[2], s[3]));
  _mm512_storeu_ps(acc, _mm512_add_ps(_mm512_loadu_ps(acc), sum));
}

}  // namespace

// A processor may have tiles without vectors of bfloat16; what runs on both is the same.
const TileKernels& tile_kernels() {
  static constexpr TileKernels table{"amx", product<AmxUnit>, gradient<AmxUnit>, outer<AmxUnit>, correlation<AmxUnit>, shard<AmxUnit>,
                                     {pair_lanes, nullptr, weight_rows, sum_rounded, nullptr}};
  static constexpr TileKernels tiles_only{"amx", product<AmxUnit>, gradient<AmxUnit>, outer<AmxUnit>, correlation<AmxUnit>, shard<AmxUnit>, {}};
  return __builtin_cpu_supports("avx512bf16") ? table : tiles_only;
}

}  // namespace nw::cpu::amx
