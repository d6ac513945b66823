// SPDX-License-Identifier: Apache-2.0
// Sixteen sums in the vectors of one instruction set, and how four or two neighbouring bytes are multiplied with
// weights and added to them. Compiled once per instruction set (kernels/CMakeLists.txt); no instruction that
// saturates is used.
#pragma once
#include <cstring>

#include "kernels/int8.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define NW_INLINE inline __attribute__((always_inline))

namespace nw::int8::NW_INT8_ISA {
namespace {

using i64 = std::int64_t;
typedef std::int32_t Ints __attribute__((vector_size(64), may_alias));
typedef float Floats __attribute__((vector_size(64), may_alias));
typedef std::int32_t LooseInts __attribute__((vector_size(64), aligned(4), may_alias));
typedef float LooseFloats __attribute__((vector_size(64), aligned(4), may_alias));
typedef std::uint8_t Bytes __attribute__((vector_size(16), aligned(1), may_alias));
typedef std::int8_t SignedBytes __attribute__((vector_size(16), aligned(1), may_alias));

#if defined(__AVX512VNNI__) || defined(__AVXVNNI__)
constexpr i64 depth = 4;
#else
constexpr i64 depth = 2;
#endif

#if defined(__AVX512F__)
typedef __m512i Part;  // of the sixteen sums
constexpr int rows_at_once = 6, blocks_at_once = 4;
#elif defined(__AVX2__)
typedef __m256i Part;
constexpr int rows_at_once = 6, blocks_at_once = 1;
#else
typedef std::int32_t Part __attribute__((vector_size(16), may_alias));
constexpr int rows_at_once = 2, blocks_at_once = 1;
#endif
constexpr int parts = 64 / sizeof(Part);

/// `depth` neighbouring inputs in every lane.
NW_INLINE Part inputs(const std::uint8_t* p) {
#if defined(__AVX512VNNI__)
  std::int32_t four;
  std::memcpy(&four, p, sizeof four);
  return _mm512_set1_epi32(four);
#elif defined(__AVXVNNI__)
  std::int32_t four;
  std::memcpy(&four, p, sizeof four);
  return _mm256_set1_epi32(four);
#elif defined(__AVX512F__)
  return _mm512_set1_epi32(p[0] | p[1] << 16);
#elif defined(__AVX2__)
  return _mm256_set1_epi32(p[0] | p[1] << 16);
#else
  return Part{p[0], p[1], p[0], p[1]};
#endif
}

/// Adds the products of `depth` inputs of every lane with the weights of part `i` of a block.
NW_INLINE Part add_products(Part sums, Part in, const std::int8_t* w, int i) {
#if defined(__AVX512VNNI__)
  (void)i;
  return _mm512_dpbusd_epi32(sums, in, _mm512_loadu_si512(w));
#elif defined(__AVXVNNI__)
  return _mm256_dpbusd_avx_epi32(sums, in, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(w) + i));
#elif defined(__AVX512F__)
  (void)i;
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(w));
  return _mm512_add_epi32(sums, _mm512_madd_epi16(in, _mm512_cvtepi8_epi16(bytes)));
#elif defined(__AVX2__)
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(w) + i);
  return _mm256_add_epi32(sums, _mm256_madd_epi16(in, _mm256_cvtepi8_epi16(bytes)));
#else
  const std::int8_t* own = w + i * 8;
  for (int c = 0; c < 4; ++c) sums[c] += in[0] * own[2 * c] + in[1] * own[2 * c + 1];
  return sums;
#endif
}

NW_INLINE Ints load(const std::int32_t* p) { return *reinterpret_cast<const LooseInts*>(p); }
NW_INLINE Floats load(const float* p) { return *reinterpret_cast<const LooseFloats*>(p); }
NW_INLINE void store(float* p, Floats v) { *reinterpret_cast<LooseFloats*>(p) = v; }

/// GCC 12 converts vectors of bytes one by one unless the instruction is called, and warns of the forms without mask.
NW_INLINE Ints widened(const std::uint8_t* p) {
#if defined(__AVX512F__)
  return reinterpret_cast<Ints>(
      _mm512_maskz_cvtepu8_epi32(0xffff, _mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
#else
  return __builtin_convertvector(*reinterpret_cast<const Bytes*>(p), Ints);
#endif
}
NW_INLINE Ints widened(const std::int8_t* p) {
#if defined(__AVX512F__)
  return reinterpret_cast<Ints>(
      _mm512_maskz_cvtepi8_epi32(0xffff, _mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
#else
  return __builtin_convertvector(*reinterpret_cast<const SignedBytes*>(p), Ints);
#endif
}

/// The first `count` of sixteen bytes.
NW_INLINE void store_some(std::uint8_t* to, Bytes v, i64 count) {
  if (count >= block) return (void)std::memcpy(to, &v, sizeof v);
#if defined(__AVX512F__)
  _mm_mask_storeu_epi8(to, static_cast<__mmask16>((1U << count) - 1), reinterpret_cast<__m128i>(v));
#else
  std::memcpy(to, &v, static_cast<std::size_t>(count));
#endif
}

/// The first `count` of sixteen numbers from 0 to 255.
NW_INLINE void store_bytes(std::uint8_t* to, Ints v, i64 count) {
#if defined(__AVX512F__)
  const Bytes bytes = reinterpret_cast<Bytes>(_mm512_maskz_cvtepi32_epi8(0xffff, reinterpret_cast<__m512i>(v)));
#else
  const Bytes bytes = __builtin_convertvector(v, Bytes);
#endif
  store_some(to, bytes, count);
}

NW_INLINE Floats real(Ints v) { return __builtin_convertvector(v, Floats); }
/// The whole numbers nearest to `v`, ties to even, within the limits: those are applied first, and then 1.5 * 2^23
/// leaves no bits behind the point.
NW_INLINE Ints rounded(Floats v, const Rounding& r) {
  const float least = static_cast<float>(r.least - r.zero), most = static_cast<float>(r.most - r.zero);
  constexpr float magic = 12582912.0F;
  v = v < least ? least - Floats{} : v;
  v = v > most ? most - Floats{} : v;
  return __builtin_convertvector((v + magic) - magic, Ints) + r.zero;
}

/// Rows [first, last) over all images: calls fn(input image, output row, y) for each.
template <class F>
NW_INLINE void each_row(const View& in, const View& out, Range rows, F fn) {
  for (i64 r = rows.first; r < rows.last; ++r) {
    const i64 image = r / out.height, y = r % out.height;
    fn(in.at + image * in.image, out.at + image * out.image + y * out.row, y);
  }
}

}  // namespace
}  // namespace nw::int8::NW_INT8_ISA
