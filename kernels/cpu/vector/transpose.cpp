// SPDX-License-Identifier: Apache-2.0
// Conversion between rows of samples and lanes: blocks of 16 x 16 floats, transposed in registers.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"
#include "kernels/math/pixel_scale.hpp"

namespace nw::cpu::NW_ISA {
namespace {

template <int bit>
constexpr Places swapped(bool high) {
  Places p{};
  for (int i = 0; i < width; ++i) p.at[i] = high ? (i & bit ? width + i : i + bit) : (i & bit ? width + i - bit : i);
  return p;
}
template <int bit>
constexpr Places low_places = swapped<bit>(false);
template <int bit>
constexpr Places high_places = swapped<bit>(true);

// One step of a transposition: rows whose indices differ in `bit` exchange the elements whose indices differ in it.
template <int bit>
NW_INLINE void swap_elements(Vec (&v)[width]) {
  const IntVec low = low_places<bit>.load(), high = high_places<bit>.load();
#pragma GCC unroll 16
  for (int i = 0; i < width; ++i) {
    if (i & bit) continue;
    const Vec a = v[i], b = v[i + bit];
    v[i] = shuffle(a, b, low);
    v[i + bit] = shuffle(a, b, high);
  }
}

// Transposes a square of `width` rows in place.
NW_INLINE void transpose(Vec (&v)[width]) {
  swap_elements<1>(v);
  swap_elements<2>(v);
  if constexpr (width > 4) swap_elements<4>(v);
  if constexpr (width > 8) swap_elements<8>(v);
}

// Transposes 16 rows of 16 bytes: rows i and i + 8 are interleaved, four times.
typedef std::uint8_t Bytes __attribute__((vector_size(16)));
typedef std::uint8_t LooseBytes __attribute__((vector_size(16), aligned(1), may_alias));
NW_INLINE void transpose_bytes(Bytes (&v)[lanes]) {
  for (int turn = 0; turn < 4; ++turn) {
    Bytes w[lanes];
#pragma GCC unroll 16
    for (int i = 0; i < lanes / 2; ++i) {
      w[2 * i] = __builtin_shufflevector(v[i], v[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      w[2 * i + 1] =
          __builtin_shufflevector(v[i], v[i + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    }
#pragma GCC unroll 16
    for (int i = 0; i < lanes; ++i) v[i] = w[i];
  }
}

/// A divisor and its reciprocal. The quotient is correctly rounded (Markstein, "Computation of elementary functions on
/// the IBM RISC System/6000 processor", 1990): the first estimate is within two ulp, and each of two corrections
/// improves it. A division instruction takes several times as long.
struct Divisor {
  float by, reciprocal;
  explicit Divisor(float b) : by(b), reciprocal(1.0f / b) {}
  NW_INLINE Vec divide(Vec a) const {
#if defined(__FMA__)
    const Vec b = all(by), r = all(reciprocal);
    Vec q = a * r;
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) {
      const Vec left = a - q * b;  // contracted: exact
      q = q + left * r;
    }
    return q;
#else
    return a / by;
#endif
  }
};

// math::scaled_pixel() for a vector.
struct Scaling {
  Divisor most{255.0f}, deviation;
  float mean;
  Scaling(float m, float d) : deviation(d), mean(m) {}
  NW_INLINE void store_scaled(Bytes v, float* to) const {
    for (int lane = 0; lane < lanes; lane += width) {
      const Vec x = __builtin_convertvector(load_bytes(reinterpret_cast<const std::uint8_t*>(&v) + lane), Vec);
      store(to + lane, deviation.divide(most.divide(x) - all(mean)));
    }
  }
};

// Transposes 16 x 16 floats from rows at `from_row` to rows at to(0) … to(15).
template <class To>
NW_INLINE void block(const float* from, i64 from_row, To to) {
  for (int y = 0; y < lanes; y += width)
    for (int x = 0; x < lanes; x += width) {
      Vec v[width];
#pragma GCC unroll 16
      for (int i = 0; i < width; ++i) v[i] = load(from + (y + i) * from_row + x);
      transpose(v);
#pragma GCC unroll 16
      for (int i = 0; i < width; ++i) store(to(x + i) + y, v[i]);
    }
}

}  // namespace

void rows_from_lanes(const float* from, i64 element, i64 elements, float* rows, i64 stride) {
  const auto to = [&](i64 e) { return [=](i64 i) NW_INLINE_LAMBDA { return rows + e + i * stride; }; };
  i64 e = 0;
  for (; e + lanes <= elements; e += lanes) block(from + e * element, element, to(e));
  if (e == elements) return;
  float rest[lanes * lanes] = {};
  for (i64 i = 0; i < elements - e; ++i)
    for (i64 lane = 0; lane < lanes; ++lane) rest[i * lanes + lane] = from[(e + i) * element + lane];
  block(rest, lanes, to(e));
}

void lanes_from_rows(const float* rows, i64 channels, i64 pixels, i64 valid, float* to) {
  const i64 elements = channels * pixels;
  i64 e = 0;
  for (i64 c = 0, q = 0; valid >= lanes && e + lanes <= elements; e += lanes) {  // e: index in a row, pixel by pixel
    float* at[lanes];
    for (int i = 0; i < lanes; ++i) {
      at[i] = to + (c * pixels + q) * lanes;
      if (++c == channels) {
        c = 0;
        ++q;
      }
    }
    block(rows + e, elements, [&](i64 i) NW_INLINE_LAMBDA { return at[i]; });
  }
  for (; e < elements; ++e) {
    float* const at = to + (e % channels * pixels + e / channels) * lanes;
    for (i64 lane = 0; lane < lanes; ++lane) at[lane] = lane < valid ? rows[lane * elements + e] : 0.0f;
  }
}

namespace {

// Calls f(block, index of its first element) for transposed blocks of 16 elements of a sample; the last block overlaps
// the one before if the count is not a multiple. False: the samples are shorter than a block.
template <class F>
NW_INLINE bool each_block(const std::uint8_t* const* samples, i64 elements, F f) {
  if (elements < lanes) return false;
  for (int lane = 0; lane < lanes; ++lane)
    for (i64 at = 0; at < elements && at < 4096; at += 64) __builtin_prefetch(samples[lane] + at);
  for (i64 next = 0; next < elements; next += lanes) {
    const i64 e = next + lanes <= elements ? next : elements - lanes;
    Bytes v[lanes];
#pragma GCC unroll 16
    for (int lane = 0; lane < lanes; ++lane) v[lane] = *reinterpret_cast<const LooseBytes*>(samples[lane] + e);
    transpose_bytes(v);
    f(v, e);
  }
  return true;
}

}  // namespace

void lanes_from_bytes(const LaneBytes& given) {
  const LaneBytes b = given;  // a copy: stores cannot alias it
  const i64 elements = b.channels * b.pixels;
  const auto place = [&](i64 e) { return b.to + (e % b.channels * b.pixels + e / b.channels) * lanes; };
  const bool done = each_block(b.samples, elements, [&](const Bytes(&v)[lanes], i64 e) NW_INLINE_LAMBDA {
    if (b.channels == 1) {
      const Scaling scaling(b.mean[0], b.deviation[0]);
#pragma GCC unroll 16
      for (int i = 0; i < lanes; ++i) scaling.store_scaled(v[i], b.to + (e + i) * lanes);
    } else {
      for (int i = 0; i < lanes; ++i)
        Scaling(b.mean[(e + i) % b.channels], b.deviation[(e + i) % b.channels]).store_scaled(v[i], place(e + i));
    }
  });
  for (i64 e = 0; !done && e < elements; ++e)
    for (int lane = 0; lane < lanes; ++lane)
      place(e)[lane] = math::scaled_pixel(b.samples[lane][e], {b.mean[e % b.channels], b.deviation[e % b.channels]});
}

void byte_lanes(const ByteLanes& given) {
  const ByteLanes b = given;
  const i64 elements = b.channels * b.pixels;
  const bool done = each_block(b.samples, elements, [&](const Bytes(&v)[lanes], i64 e) NW_INLINE_LAMBDA {
    if (b.channels == 1) {
#pragma GCC unroll 16
      for (int i = 0; i < lanes; ++i) *reinterpret_cast<LooseBytes*>(b.to + (e + i) * lanes) = v[i];
      return;
    }
    i64 c = e % b.channels, q = e / b.channels;
    for (int i = 0; i < lanes; ++i) {
      *reinterpret_cast<LooseBytes*>(b.to + (c * b.pixels + q) * lanes) = v[i];
      if (++c < b.channels) continue;
      c = 0;
      ++q;
    }
  });
  for (i64 e = 0; !done && e < elements; ++e)
    for (int lane = 0; lane < lanes; ++lane)
      b.to[(e % b.channels * b.pixels + e / b.channels) * lanes + lane] = b.samples[lane][e];
}

}  // namespace nw::cpu::NW_ISA
