// SPDX-License-Identifier: Apache-2.0
// TDPBF16PS in software, as specified in Intel's Software Developer's Manual, volume 2, TDPBF16PS: for each element of
// c two sums start at zero, one over the even and one over the odd numbers of a row, each term by a fused multiply-add;
// then even + odd; then c + that sum. Subnormal inputs and results count as zero, ties round to even, whatever the
// thread's floating-point settings are.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

NW_INLINE float as_float(std::uint32_t bits) {
  float f;
  __builtin_memcpy(&f, &bits, sizeof f);
  return f;
}

#if defined(__FMA__)
// Sets the processor's floating-point control register so that subnormal numbers count as zero, and restores it.
class TileArithmetic {
 public:
  // all exceptions masked, rounding to nearest, FTZ and DAZ
  TileArithmetic() : saved_(__builtin_ia32_stmxcsr()) { __builtin_ia32_ldmxcsr(0x9fc0u); }
  ~TileArithmetic() { __builtin_ia32_ldmxcsr(saved_); }

 private:
  const unsigned saved_;
};
NW_INLINE float seen(float f) { return f; }
NW_INLINE float fused(float a, float b, float sum) { return __builtin_fmaf(a, b, sum); }
NW_INLINE float plus(float a, float b) { return a + b; }
#else
struct TileArithmetic {
  TileArithmetic() {}  // NOLINT(modernize-use-equals-default): an unused variable of it would be warned of
};
// In double the product of two bfloat16 is exact, and 53 digits are enough that rounding their sum twice equals
// rounding it once. A number is subnormal if it still is after rounding to 24 digits with an unbounded exponent.
NW_INLINE float flushed(double d) {
  return __builtin_fabs(d) < 0x1.ffffffp-127 ? static_cast<float>(__builtin_copysign(0.0, d)) : static_cast<float>(d);
}
NW_INLINE float seen(float f) { return __builtin_fabsf(f) < 0x1p-126f ? __builtin_copysignf(0.0f, f) : f; }
NW_INLINE float fused(float a, float b, float sum) {
  return flushed(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(sum));
}
NW_INLINE float plus(float a, float b) { return flushed(static_cast<double>(seen(a)) + static_cast<double>(seen(b))); }
#endif

// Not inlined: the compiler must not move its arithmetic to code with other floating-point settings.
__attribute__((noinline)) void multiply_rows(const TileMultiply& t) {
  float even[tile_words], odd[tile_words];
  for (int i = 0; i < t.pairs * lanes; ++i) {
    even[i] = seen(as_float(t.b[i] << 16));
    odd[i] = seen(as_float(t.b[i] & 0xffff0000u));
  }
  for (int m = 0; m < t.rows; ++m) {
    float e[lanes] = {}, o[lanes] = {};
    for (int k = 0; k < t.pairs; ++k) {
      const float low = seen(as_float(t.a[m * row_words + k] << 16)),
                  high = seen(as_float(t.a[m * row_words + k] & 0xffff0000u));
      for (int n = 0; n < lanes; ++n) e[n] = fused(low, even[k * lanes + n], e[n]);
      for (int n = 0; n < lanes; ++n) o[n] = fused(high, odd[k * lanes + n], o[n]);
    }
    for (int n = 0; n < t.columns; ++n) t.c[m * row_words + n] = plus(t.c[m * row_words + n], plus(e[n], o[n]));
  }
}

}  // namespace

void multiply_tiles(const TileMultiply& t) {
  const TileArithmetic arithmetic;
  multiply_rows(t);
}

}  // namespace nw::cpu::NW_ISA
