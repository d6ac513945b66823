// SPDX-License-Identifier: Apache-2.0
// Operands of tiles: rounded to bfloat16 while they are packed into pairs, which saves a separate pass.
#include "kernels/cpu/vector/rounding.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

NW_INLINE WordVec pairs(WordVec low, WordVec high) { return low >> 16 | high; }
NW_INLINE void store_words(std::uint32_t* p, WordVec v) {
  store(reinterpret_cast<float*>(p), reinterpret_cast<Vec>(v));
}

/// One weight of each output, followed by zeros.
NW_INLINE void gather(const WeightTile& t, std::int32_t at, float (&to)[lanes]) {
  const i64 outs = at < 0 ? 0 : t.outs;
  for (int o = 0; o < lanes; ++o) to[o] = 0;
  if (outs == lanes && t.w_out == 1)
    __builtin_memcpy(to, t.w + at, sizeof to);
  else if (outs == lanes)
    for (int o = 0; o < lanes; ++o) to[o] = t.w[o * t.w_out + at];
  else
    for (i64 o = 0; o < outs; ++o) to[o] = t.w[o * t.w_out + at];
}

}  // namespace

void pair_lanes(const LanePairs& p) {
  const auto half = [](const float* from, i64 at)
                        NW_INLINE_LAMBDA { return from ? rounded_words(load(from + at)) : WordVec{}; };
  for (i64 i = 0; i < p.count; ++i)
    for (int lane = 0; lane < lanes; lane += width)
      store_words(p.to + i * p.to_step + lane, pairs(half(p.a, i * p.step + lane), half(p.b, i * p.step + lane)));
}

void pair_shards(const ShardPairs& given) {
  const ShardPairs p = given;  // a copy: stores cannot alias it
  const auto words = [](const std::uint32_t* from, i64 at) NW_INLINE_LAMBDA {
    return from ? reinterpret_cast<WordVec>(load(reinterpret_cast<const float*>(from + at))) : WordVec{};
  };
  for (i64 i = 0; i < p.count; ++i)
    for (int lane = 0; lane < lanes; lane += width) {
      const WordVec a = words(p.a, i * row_words + lane), b = words(p.b, i * row_words + lane);
      store_words(p.to + 2 * i * row_words + lane, (a & 0xffffu) | b << 16);
      store_words(p.to + (2 * i + 1) * row_words + lane, a >> 16 | (b & 0xffff0000u));
    }
}

void pair_bytes(const BytePairs& given) {
  const BytePairs p = given;
  const auto word = [](const std::uint8_t* from, const std::uint16_t* of, i64 at)
                        NW_INLINE_LAMBDA { return from ? std::uint32_t{of[from[at]]} : 0u; };
  for (i64 i = 0; i < p.count; ++i)
    for (i64 lane = 0; lane < lanes; ++lane)
      p.to[i * p.to_step + lane] = word(p.a, p.of_a, i * p.step + lane) | word(p.b, p.of_b, i * p.step + lane) << 16;
}

namespace {

NW_INLINE Vec gated(const float* from, const float* gate, i64 at) {
  const Vec v = load(from + at);
  return gate ? (load(gate + at) <= 0.0f ? Vec{} : v) : v;
}

}  // namespace

void pair_pooled(const PooledPairs& given) {
  const PooledPairs p = given;  // a copy: stores cannot alias it
  const auto row = p.to_row, pixel = p.to_pixel;
  for (int lane = 0; lane < lanes; lane += width) {
    Vec sums[2] = {};
    for (i64 q = 0; q < p.count; ++q) {
      const i64 at = q * lanes + lane;
      const WordVec low = rounded_words(gated(p.dy[0], p.gate[0], at)) >> 16,
                    high = p.dy[1] ? rounded_words(gated(p.dy[1], p.gate[1], at)) : WordVec{};
      const IntVec a = load_bytes(p.argmax[0] + at), b = p.dy[1] ? load_bytes(p.argmax[1] + at) : IntVec{};
      std::uint32_t* const to = p.to + q * p.kernel_w * pixel + lane;
      for (i64 ky = 0; ky < p.kernel_h; ++ky)
        for (i64 kx = 0; kx < p.kernel_w; ++kx) {
          const int here = static_cast<int>(ky * p.kernel_w + kx);
          store_words(to + ky * row + kx * pixel,
                      (low & reinterpret_cast<WordVec>(a == here)) | (high & reinterpret_cast<WordVec>(b == here)));
        }
      sums[0] += reinterpret_cast<Vec>(low << 16);
      sums[1] += reinterpret_cast<Vec>(high);
    }
    if (p.sums) store(p.sums + lane, load(p.sums + lane) + (sums[0] + sums[1]));
  }
}

void sum_columns(const std::uint32_t* tiles, i64 count, float* acc) {
  for (int lane = 0; lane < lanes; lane += width) {
    Vec s[4] = {};
    for (i64 row = 0; row < count * tile_rows; row += 2)
#pragma GCC unroll 2
      for (int i = 0; i < 2; ++i) {
        const WordVec w =
            reinterpret_cast<WordVec>(load(reinterpret_cast<const float*>(tiles + (row + i) * row_words + lane)));
        s[2 * i] += reinterpret_cast<Vec>(w << 16);
        s[2 * i + 1] += reinterpret_cast<Vec>(w & 0xffff0000u);
      }
    store(acc + lane, load(acc + lane) + ((s[0] + s[1]) + (s[2] + s[3])));
  }
}

namespace {

constexpr Places every_second(int first) {
  Places p{};
  for (int i = 0; i < width; ++i) p.at[i] = 2 * i + first;
  return p;
}
constexpr Places even_places = every_second(0), odd_places = every_second(1);

#if defined(__AVX512F__)
// Gathers a row at a time from arbitrary offsets.
void gather_rows(const WeightTile& t) {
  const __m512i first = _mm512_loadu_si512(even_places.at), second = _mm512_loadu_si512(odd_places.at);
  const auto some = [&](i64 from) {
    const i64 left = 2 * t.pairs - from, count = left < 0 ? 0 : left < lanes ? left : lanes;
    return _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), static_cast<__mmask16>((1u << count) - 1), t.at + from);
  };
  const __m512i a = some(0), b = some(lanes), even = _mm512_permutex2var_epi32(a, first, b),
                odd = _mm512_permutex2var_epi32(a, second, b);
  const __mmask16 low = _mm512_cmpge_epi32_mask(even, _mm512_setzero_si512()),
                  high = _mm512_cmpge_epi32_mask(odd, _mm512_setzero_si512());
  for (i64 o = 0; o < lanes; ++o) {
    const float* const w = t.w + o * t.w_out;
    const auto half = [&](__mmask16 there, __m512i at) {
      return rounded_words(reinterpret_cast<Vec>(_mm512_mask_i32gather_ps(_mm512_setzero_ps(), there, at, w, 4)));
    };
    store_words(t.to + o * row_words, o < t.outs ? pairs(half(low, even), half(high, odd)) : WordVec{});
  }
}
#endif

}  // namespace

// Gathers with the outputs adjacent, then transposes.
void weight_tile(const WeightTile& t) {
#if defined(__AVX512F__)
  if (t.w_out != 1) return gather_rows(t);
#endif
  alignas(64) std::uint32_t lying[tile_words];
  for (i64 k = 0; k < t.pairs; ++k) {
    float low[lanes], high[lanes];
    gather(t, t.at[2 * k], low);
    gather(t, t.at[2 * k + 1], high);
    pair_lanes({low, high, 0, 1, lying + k * row_words, 0});
  }
  rows_from_lanes(reinterpret_cast<const float*>(lying), row_words, t.pairs, reinterpret_cast<float*>(t.to), row_words);
}

// A row is packed from two vectors of pairs at a time: even numbers into low halves, odd numbers into high halves.
void weight_rows(const WeightRows& t) {
  const IntVec evens = even_places.load(), odds = odd_places.load();
  for (i64 o = 0; o < lanes; ++o) {
    std::uint32_t* const to = t.to + o * row_words;
    float row[2 * lanes] = {};
    const float* from = t.w + o * t.w_out;
    if (o >= t.outs || t.count < 2 * lanes) {
      for (i64 i = 0; o < t.outs && i < t.count; ++i) row[i] = from[i];
      from = row;
    }
    for (int at = 0; at < lanes; at += width) {
      const Vec a = reinterpret_cast<Vec>(rounded_words(load(from + 2 * at))),
                b = reinterpret_cast<Vec>(rounded_words(load(from + 2 * at + width)));
      store_words(to + at, pairs(reinterpret_cast<WordVec>(shuffle(a, b, evens)),
                                 reinterpret_cast<WordVec>(shuffle(a, b, odds))));
    }
  }
}

void sum_halves(const std::uint32_t* rows, i64 count, float* acc) {
  for (i64 at = 0; at < count * row_words; at += width) {
    const WordVec w = reinterpret_cast<WordVec>(load(reinterpret_cast<const float*>(rows + at)));
    store(acc + at, load(acc + at) + reinterpret_cast<Vec>(w << 16) + reinterpret_cast<Vec>(w & 0xffff0000u));
  }
}

// Interleaves the numbers of two rows, then transposes.
void turn_rows(const TurnedRows& given) {
  const TurnedRows t = given;
  alignas(64) std::uint32_t lying[tile_words];
  for (int at = 0; at < lanes; at += width) {
    const int first = static_cast<int>(t.word) + at / 2, base = first / width * width;
    Places twice;
    for (int i = 0; i < width; ++i) twice.at[i] = first - base + i / 2;
    const IntVec places = twice.load(), odd = count_from(0) & 1;
    for (i64 k = 0; k < lanes; ++k) {
      const std::uint32_t* const tile = k < lanes / 2 ? t.a : t.b;
      const auto row = [&](i64 r) NW_INLINE_LAMBDA {
        const Vec v =
            tile ? load(reinterpret_cast<const float*>(tile + (2 * k % lanes + r) * row_words + base)) : Vec{};
        return reinterpret_cast<WordVec>(shuffle(v, v, places));
      };
      const WordVec a = row(0), b = row(1), low = (a & 0xffffu) | b << 16, high = a >> 16 | (b & 0xffff0000u);
      store_words(lying + k * row_words + at, odd == 1 ? high : low);
    }
  }
  rows_from_lanes(reinterpret_cast<const float*>(lying), row_words, lanes, reinterpret_cast<float*>(t.to), row_words);
}

void sum_rounded(const float* from, i64 count, float* acc) {
  for (int lane = 0; lane < lanes; lane += width)
    store(acc + lane, load(acc + lane) + sum_apart(count, [&](i64 q) NW_INLINE_LAMBDA {
                        return reinterpret_cast<Vec>(rounded_words(load(from + q * lanes + lane)));
                      }));
}

}  // namespace nw::cpu::NW_ISA
