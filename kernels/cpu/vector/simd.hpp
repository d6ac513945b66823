// SPDX-License-Identifier: Apache-2.0
// One vector of the instruction set that this file is compiled for, in GCC's vector extensions (which Clang supports
// too), and the functions on it.
#pragma once
#include "kernels/cpu/vector/vector_kernels.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if !defined(NW_ISA)
#error "compiled once per instruction set, see kernels/CMakeLists.txt"
#endif
#if defined(__AVX512F__)
#define NW_WIDTH 16
#elif defined(__AVX2__)
#define NW_WIDTH 8
#else
#define NW_WIDTH 4
#endif

namespace nw::cpu::NW_ISA {
namespace {

using i64 = std::int64_t;
constexpr int width = NW_WIDTH;  // floats in a vector
constexpr int lanes = 16;
typedef float Vec __attribute__((vector_size(NW_WIDTH * 4)));
typedef std::int32_t IntVec __attribute__((vector_size(NW_WIDTH * 4), may_alias));
typedef double WideVec __attribute__((vector_size(NW_WIDTH * 8)));
typedef float LooseVec __attribute__((vector_size(NW_WIDTH * 4), aligned(4), may_alias));

#define NW_INLINE inline __attribute__((always_inline))
#define NW_INLINE_LAMBDA __attribute__((always_inline))

NW_INLINE Vec load(const float* p) { return *reinterpret_cast<const LooseVec*>(p); }
NW_INLINE void store(float* p, Vec v) { *reinterpret_cast<LooseVec*>(p) = v; }
// the subtraction of zero is optimized away, which leaves the broadcast
NW_INLINE Vec all(float f) { return f - Vec{}; }
/// b if one of them is NaN. GCC 12 would compare and select, so the instruction, which has this result, is called
/// directly.
NW_INLINE Vec maximum(Vec a, Vec b) {
#if defined(__AVX512F__)
  return _mm512_maskz_max_ps(0xffff, a, b);
#elif defined(__AVX2__)
  return _mm256_max_ps(a, b);
#else
  return a > b ? a : b;
#endif
}
NW_INLINE Vec minimum(Vec a, Vec b) {
#if defined(__AVX512F__)
  return _mm512_maskz_min_ps(0xffff, a, b);
#elif defined(__AVX2__)
  return _mm256_min_ps(a, b);
#else
  return a < b ? a : b;
#endif
}
NW_INLINE Vec absolute(Vec a) { return reinterpret_cast<Vec>(reinterpret_cast<IntVec>(a) & 0x7fffffff); }
NW_INLINE Vec square_root(Vec a) {
  Vec r;
  for (int i = 0; i < width; ++i) r[i] = __builtin_sqrtf(a[i]);
  return r;
}
/// a / (sqrt(v) * scale + eps) for v >= 0, the division of an optimizer. Where the processor estimates roots and
/// reciprocals to 14 bits, one step of Newton's method each makes them accurate to 2 ulp in a quarter of the time.
NW_INLINE Vec over_root(Vec a, Vec v, float scale, float eps) {
#if defined(__AVX512F__)
  // For zero and infinity the products of the estimates would be NaN.
  const Vec x = minimum(maximum(v, all(1e-37f)), all(3e38f)), r = __builtin_ia32_rsqrt14ps512_mask(x, x, 0xffff);
  const Vec y = x * r, root = y + (0.5f * y) * (1.0f - y * r), d = root * scale + eps,
            q = __builtin_ia32_rcp14ps512_mask(d, d, 0xffff);
  return a * (q * (2.0f - d * q));
#else
  return a / (square_root(v) * scale + eps);
#endif
}
/// Element i of the result is element from[i] of the concatenation of a and b.
NW_INLINE Vec shuffle(Vec a, Vec b, IntVec from) {
#if defined(__clang__)
  Vec r;
  for (int i = 0; i < width; ++i) r[i] = from[i] < width ? a[from[i]] : b[from[i] - width];
  return r;
#else
  return __builtin_shuffle(a, b, from);
#endif
}
/// The indices of shuffle() as a constant: compilers build an array computed in a loop element by element.
struct Places {
  alignas(NW_WIDTH * 4) std::int32_t at[width];
  NW_INLINE IntVec load() const { return *reinterpret_cast<const IntVec*>(at); }
};
/// One byte for each number of a vector. GCC 12 converts the bytes one by one unless the instruction is called
/// directly.
typedef std::uint8_t ByteVec __attribute__((vector_size(NW_WIDTH)));
typedef std::uint8_t LooseByteVec __attribute__((vector_size(NW_WIDTH), aligned(1), may_alias));
NW_INLINE IntVec load_bytes(const std::uint8_t* p) {
#if defined(__AVX512F__)
  return reinterpret_cast<IntVec>(
      _mm512_maskz_cvtepu8_epi32(0xffff, _mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
#elif defined(__AVX2__)
  return reinterpret_cast<IntVec>(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
#else
  return __builtin_convertvector(*reinterpret_cast<const LooseByteVec*>(p), IntVec);
#endif
}
NW_INLINE void store_bytes(std::uint8_t* p, IntVec v) {
  *reinterpret_cast<LooseByteVec*>(p) = __builtin_convertvector(v, ByteVec);
}
/// 0, 1, 2, … plus `first`.
NW_INLINE IntVec count_from(int first) {
  IntVec v;
  for (int i = 0; i < width; ++i) v[i] = first + i;
  return v;
}
NW_INLINE double sum(WideVec v) {
  double s[width];
  __builtin_memcpy(s, &v, sizeof v);
  for (int half = width / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) s[i] += s[i + half];
  return s[0];
}
/// term(0) + … + term(count - 1), in four independent sums.
template <class F>
NW_INLINE Vec sum_apart(i64 count, F term) {
  Vec s[4] = {};
  i64 q = 0;
  for (; q + 4 <= count; q += 4)
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) s[k] += term(q + k);
  for (; q < count; ++q) s[0] += term(q);
  return (s[0] + s[1]) + (s[2] + s[3]);
}
NW_INLINE WideVec widen(Vec v) { return __builtin_convertvector(v, WideVec); }

/// Sums in double, one for each element of a vector: in two vectors of half the length, since GCC 12 keeps sums in a
/// WideVec in memory.
class DoubleSums {
 public:
  NW_INLINE void add(Vec v) {
    low_ += low(v);
    high_ += high(v);
  }
  NW_INLINE void add_product(Vec a, Vec b) {
    low_ += low(a) * low(b);
    high_ += high(a) * high(b);
  }
  NW_INLINE double total() const {
    const Doubles both = low_ + high_;
    double s[width / 2];
    __builtin_memcpy(s, &both, sizeof both);
    for (int half = width / 4; half > 0; half /= 2)
      for (int i = 0; i < half; ++i) s[i] += s[i + half];
    return s[0];
  }

 private:
  typedef double Doubles __attribute__((vector_size(NW_WIDTH * 4)));
#if defined(__AVX512F__)
  static NW_INLINE Doubles low(Vec v) {
    return reinterpret_cast<Doubles>(
        _mm512_maskz_cvtps_pd(0xff, _mm512_maskz_extractf32x8_ps(0xff, reinterpret_cast<__m512>(v), 0)));
  }
  static NW_INLINE Doubles high(Vec v) {
    return reinterpret_cast<Doubles>(
        _mm512_maskz_cvtps_pd(0xff, _mm512_maskz_extractf32x8_ps(0xff, reinterpret_cast<__m512>(v), 1)));
  }
#elif defined(__AVX2__)
  static NW_INLINE Doubles low(Vec v) {
    return reinterpret_cast<Doubles>(_mm256_cvtps_pd(_mm256_castps256_ps128(reinterpret_cast<__m256>(v))));
  }
  static NW_INLINE Doubles high(Vec v) {
    return reinterpret_cast<Doubles>(_mm256_cvtps_pd(_mm256_extractf128_ps(reinterpret_cast<__m256>(v), 1)));
  }
#else
  static NW_INLINE Doubles low(Vec v) { return Doubles{static_cast<double>(v[0]), static_cast<double>(v[1])}; }
  static NW_INLINE Doubles high(Vec v) { return Doubles{static_cast<double>(v[2]), static_cast<double>(v[3])}; }
#endif
  Doubles low_ = {}, high_ = {};
};

/// e^r - 1 for x = n ln 2 + r, |r| <= ln 2 / 2, by a polynomial in r; 2^n in two halves, a * b.
NW_INLINE Vec reduced_exponential(Vec x, Vec& a, Vec& b) {
  x = x > 89.0f ? all(89.0f) : x;
  x = x < -104.0f ? all(-104.0f) : x;
  const Vec n = (x * 1.44269504f + 12582912.0f) - 12582912.0f;  // 1.5 * 2^23: rounds to nearest
  const Vec r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  const Vec p =
      ((((1.99089043e-4f * r + 1.39345442e-3f) * r + 8.33328411e-3f) * r + 4.16664568e-2f) * r + 1.66666668e-1f) * r +
      0.5f;
  const IntVec whole = __builtin_convertvector(n, IntVec), half = whole >> 1;
  a = reinterpret_cast<Vec>((half + 127) << 23);
  b = reinterpret_cast<Vec>((whole - half + 127) << 23);
  return p * r * r + r;
}

/// e^x to about 1 ulp.
NW_INLINE Vec exponential(Vec x) {
  Vec a, b;
  return (reduced_exponential(x, a, b) + 1.0f) * a * b;
}

/// e^x - 1, accurate near 0.
NW_INLINE Vec exponential_minus_one(Vec x) {
  Vec a, b;
  const Vec part = reduced_exponential(x, a, b);
  return part * a * b + (a * b - 1.0f);
}

NW_INLINE Vec sigmoid(Vec x) { return 1.0f / (1.0f + exponential(-x)); }

/// Polynomial below 0.625, 1 - 2 / (e^2x + 1) above.
NW_INLINE Vec hyperbolic_tangent(Vec x) {
  const Vec s = x * x, a = absolute(x);
  const Vec small =
      ((((-6.09189e-3f * s + 2.099553e-2f) * s - 5.385103e-2f) * s + 1.3332775e-1f) * s - 3.3333329e-1f) * s * x + x;
  const Vec large = 1.0f - 2.0f / (exponential(2.0f * a) + 1.0f);
  return a < 0.625f ? small : x < 0.0f ? -large : x > 0.0f ? large : x;
}

/// Normal distribution: e = exp(-x^2 / 2), and Phi(x) = e * R(|x|) for x < 0, 1 - e * R for x >= 0, where the
/// Mills-like ratio R is a polynomial in u = 1 / (1 + 0.3 |x|) (own fit, relative error 4e-9 on [0, 14]).
NW_INLINE Vec normal_cdf(Vec x, Vec& e) {
  const Vec a = minimum(absolute(x), all(14.0f));
  e = exponential(-0.5f * x * x);
  const Vec u = 1.0f / (1.0f + 0.3f * a);
  const Vec r =
      (((((((((-0.02061294575f * u + 0.11237641329f) * u - 0.22806901281f) * u + 0.19158370018f) * u - 0.07924901158f) *
               u +
           0.09605872762f) *
              u +
          0.07842526930f) *
             u +
         0.11022738903f) *
            u +
        0.11957283326f) *
           u +
       0.11968663450f) *
      u;
  const Vec tail = e * r;
  return x < 0.0f ? tail : 1.0f - tail;
}

/// x = 2^n m with m between sqrt(1/2) and sqrt(2); log m = 2 artanh(s), s = (m - 1) / (m + 1), by its series, which has
/// reached 1e-10 after six terms. ln 2 is a sum of two floats, of which the first has 12 bits, so that n times it is
/// exact.
NW_INLINE Vec logarithm(Vec x) {
  const Vec normal = x < 1.17549435e-38f ? x * 8388608.0f : x;
  const IntVec bits = reinterpret_cast<IntVec>(normal), power = (bits - 0x3f3504f3) >> 23;
  const Vec m = reinterpret_cast<Vec>(bits - (power << 23)), whole = __builtin_convertvector(power, Vec),
            n = x < 1.17549435e-38f ? whole - 23.0f : whole;
  const Vec s = (m - 1.0f) / (m + 1.0f), q = s * s;
  const Vec tail = ((((1.0f / 11 * q + 1.0f / 9) * q + 1.0f / 7) * q + 0.2f) * q + 1.0f / 3) * q;
  const Vec result = n * 0.693359375f + (2.0f * s + (2.0f * s * tail - n * 2.12194440e-4f));
  const Vec finite = x < __builtin_inff() ? result : x;
  return x > 0.0f ? finite : x == 0.0f ? all(-__builtin_inff()) : all(__builtin_nanf(""));
}

/// sin(x + quarters pi / 2): n quarters of a turn are subtracted from x, pi / 2 as a sum of three floats; the rest is
/// within +-pi / 4, where Taylor's series have reached 1e-9.
NW_INLINE Vec sine_of_quarters(Vec x, int quarters) {
  const Vec n = (x * 0.636619772f + 12582912.0f) - 12582912.0f;  // rounds to nearest
  const Vec r = ((x - n * 1.5703125f) - n * 4.837512969970703e-4f) - n * 7.549789954892e-8f, q = r * r;
  const Vec sine = (((2.75573192e-6f * q - 1.98412698e-4f) * q + 8.33333333e-3f) * q - 1.66666667e-1f) * q * r + r;
  const Vec cosine =
      ((((-2.75573192e-7f * q + 2.48015873e-5f) * q - 1.38888889e-3f) * q + 4.16666667e-2f) * q - 0.5f) * q + 1.0f;
  const IntVec turn = __builtin_convertvector(n, IntVec) + quarters;
  const Vec one = (turn & 1) != 0 ? cosine : sine;
  return (turn & 2) != 0 ? -one : one;
}

/// Taylor's series below 0.5, the normal distribution above: 1 - 2 Phi(-sqrt(2) |x|).
NW_INLINE Vec error_function(Vec x) {
  const Vec a = absolute(x), q = x * x;
  const Vec small =
      ((((((1.0f / 9360 * q - 1.0f / 1320) * q + 1.0f / 216) * q - 1.0f / 42) * q + 0.1f) * q - 1.0f / 3) * q + 1.0f) *
      x * 1.12837917f;
  Vec e;
  const Vec large = 1.0f - 2.0f * normal_cdf(-1.41421356f * a, e);
  return a < 0.5f ? small : x < 0.0f ? -large : large;
}

}  // namespace
}  // namespace nw::cpu::NW_ISA
