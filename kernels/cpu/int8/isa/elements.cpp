// SPDX-License-Identifier: Apache-2.0
// Sums and products of two values, and whole numbers of real ones.
#include "kernels/cpu/int8/isa/functions.hpp"
#include "kernels/cpu/int8/isa/vectors.hpp"

namespace nw::int8::NW_INT8_ISA {
namespace {

NW_INLINE Floats of_pair(const Pair& p, const std::uint8_t* a, const std::uint8_t* b) {
  const Ints x = widened(a) - p.zero_a, y = widened(b) - p.zero_b;
  return p.multiplies ? real(x * y) * p.factor_a : real(x) * p.factor_a + real(y) * p.factor_b;
}

/// `count` neighbouring numbers.
NW_INLINE void pairs(const Pair& p, const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out, i64 count) {
  for (i64 c = 0; c < count; c += block) store_bytes(out + c, rounded(of_pair(p, a + c, b + c), p.rounding), count - c);
}

}  // namespace

void pair(const Pair& p, Range rows) {
  const i64 channels = p.out.channels;
  const bool one_pixel = p.b.height * p.b.width == 1 && p.out.height * p.out.width > 1;
  for (i64 r = rows.first; r < rows.last; ++r) {
    const i64 image = r / p.out.height, y = r % p.out.height;
    const std::uint8_t *a = p.a.at + image * p.a.image + y * p.a.row,
                       *b = p.b.at + image * p.b.image + (one_pixel ? 0 : y * p.b.row);
    std::uint8_t* out = p.out.at + image * p.out.image + y * p.out.row;
    if (!one_pixel)
      pairs(p, a, b, out, p.out.width * channels);
    else
      for (i64 x = 0; x < p.out.width; ++x) pairs(p, a + x * channels, b, out + x * channels, channels);
  }
}

void quantize(const float* from, std::uint8_t* to, i64 count, float scale, std::int32_t zero) {
  const Rounding rounding{zero, 0, 255};
  for (i64 i = 0; i < count; i += block) {
    const i64 n = count - i < block ? count - i : block;
    Floats v{};
    std::memcpy(&v, from + i, static_cast<std::size_t>(n) * sizeof(float));
    v = v / scale;
    v = v == v ? v : Floats{};
    store_bytes(to + i, rounded(v, rounding), n);
  }
}

}  // namespace nw::int8::NW_INT8_ISA
