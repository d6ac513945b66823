// SPDX-License-Identifier: Apache-2.0
// The product of weights and pixels for convolution and linear layers: a tile of outputs x pixels stays in registers
// over all channels and taps; a weight is broadcast, the 16 images of a pixel are one vector.
#include "kernels/cpu/vector/sources.hpp"
#include "kernels/cpu/vector/tiles.hpp"

namespace nw::cpu::NW_ISA {
namespace {

/// The operation on sums before they are stored.
enum class End { plain, relu, gate };

// The destinations are read from `p` before the loop: the compiler must assume that a store changes `p`.
template <End end, int outs, int pixels>
NW_INLINE void store_sums(const Product& p, i64 o, i64 q, i64 lane, Vec (&acc)[outs][pixels]) {
  i64 at[pixels];
#pragma GCC unroll 8
  for (int j = 0; j < pixels; ++j) at[j] = o * p.y_out + p.y_pixel[q + j] + lane;
  float* y = p.y;
  const float* gate = p.gate;
  const i64 step = p.y_out;
#pragma GCC unroll 8
  for (int i = 0; i < outs; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < pixels; ++j) {
      Vec v = acc[i][j];
      if (end == End::relu) v = v <= 0.0f ? Vec{} : v;
      if (end == End::gate) v = load(gate + at[j]) <= 0.0f ? Vec{} : v;
      store(y + at[j], v);
    }
    y += step;
    if (end == End::gate) gate += step;
  }
}

template <int outs, int pixels>
void tile(const Product& p, i64 o, i64 q) {
  for (int lane = 0; lane < lanes; lane += width) {
    Vec acc[outs][pixels];
    const float* x[pixels];
#pragma GCC unroll 8
    for (int j = 0; j < pixels; ++j) x[j] = p.x + p.x_pixel[q + j] + lane;
#pragma GCC unroll 8
    for (int i = 0; i < outs; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < pixels; ++j)
        acc[i][j] =
            p.accumulate ? load(p.y + (o + i) * p.y_out + p.y_pixel[q + j] + lane) : all(p.bias ? p.bias[o + i] : 0.0f);
    const float* w = p.w + o * p.w_out;
    const auto term = [&]<bool ahead>(i64 at) __attribute__((always_inline)) {
      if constexpr (outs > pixels) {  // the smaller operand stays in registers
        Vec v[pixels];
#pragma GCC unroll 8
        for (int j = 0; j < pixels; ++j) v[j] = load(x[j] + at);
#pragma GCC unroll 8
        for (int i = 0; i < outs; ++i)
#pragma GCC unroll 8
          for (int j = 0; j < pixels; ++j) acc[i][j] += w[i * p.w_out] * v[j];
      } else {
        Vec weight[outs];
#pragma GCC unroll 8
        for (int i = 0; i < outs; ++i) weight[i] = all(w[i * p.w_out]);
#pragma GCC unroll 8
        for (int j = 0; j < pixels; ++j) {
          const Vec v = load(x[j] + at);
          // prefetches the next channel; the next tap's call reads the other cache lines
          if (ahead && j % 2 == 0) __builtin_prefetch(x[j] + at + p.x_channel);
#pragma GCC unroll 8
          for (int i = 0; i < outs; ++i) acc[i][j] += weight[i] * v;
        }
      }
      w += p.w_term;
    };
    if (p.taps == 1)
      for (i64 c = 0, at = p.tap_offset[0]; c < p.channels; ++c, at += p.x_channel) term.template operator()<false>(at);
    else {
      for (i64 c = 0; c + 1 < p.channels; ++c)
        for (i64 t = 0; t < p.taps; ++t) term.template operator()<true>(c * p.x_channel + p.tap_offset[t]);
      for (i64 t = 0; t < p.taps; ++t)
        term.template operator()<false>((p.channels - 1) * p.x_channel + p.tap_offset[t]);
    }
    if (p.gate)
      store_sums<End::gate>(p, o, q, lane, acc);
    else if (p.relu)
      store_sums<End::relu>(p, o, q, lane, acc);
    else
      store_sums<End::plain>(p, o, q, lane, acc);
  }
}

using Tile = void (*)(const Product&, i64, i64);
template <int pixels>
Tile tile_of_outs(i64 outs) {
  constexpr int most = max_outs(pixels);
  switch (outs) {
    case 1:
      return tile<1, pixels>;
    case 2:
      return tile<2, pixels>;
    case 3:
      return tile<3, pixels>;
    case 4:
      return tile<4, pixels>;
    case 5:
      return tile < most >= 5 ? 5 : 1, pixels > ;
    case 6:
      return tile < most >= 6 ? 6 : 1, pixels > ;
    case 7:
      return tile < most >= 7 ? 7 : 1, pixels > ;
    default:
      return tile < most >= 8 ? 8 : 1, pixels > ;
  }
}
Tile tile_of(i64 outs, i64 pixels) {
  switch (pixels) {
    case 1:
      return tile_of_outs<1>(outs);
    case 2:
      return tile_of_outs<2>(outs);
    case 3:
      return tile_of_outs<3>(outs);
    case 4:
      return tile_of_outs < most_pixels >= 4 ? 4 : 1 > (outs);
    case 5:
      return tile_of_outs < most_pixels >= 5 ? 5 : 1 > (outs);
    default:
      return tile_of_outs < most_pixels >= 6 ? 6 : 1 > (outs);
  }
}

constexpr i64 weights_kept = 64 << 10;  // floats that stay in the L2 cache over all pixels

}  // namespace

// Few weights: all outputs of a few pixels, whose inputs stay in the L1 cache. Many weights: all pixels of a few
// outputs.
void product(const Product& p) {
  const bool six = width == 16 && (p.outs == 5 || p.outs == 6 || (p.outs % 6 == 0 && p.pixels % 4 == 0));
  const Parts pixels(p.pixels, six ? 4 : most_pixels), outs(p.outs, max_outs(pixels.largest()));
  const auto one = [&](i64 i, i64 j) {
    const i64 o = outs.begin(i), q = pixels.begin(j);
    tile_of(outs.begin(i + 1) - o, pixels.begin(j + 1) - q)(p, o, q);
  };
  if (p.outs * p.channels * p.taps <= weights_kept) {
    for (i64 j = 0; j < pixels.parts; ++j)
      for (i64 i = 0; i < outs.parts; ++i) one(i, j);
  } else {
    for (i64 i = 0; i < outs.parts; ++i)
      for (i64 j = 0; j < pixels.parts; ++j) one(i, j);
  }
}

}  // namespace nw::cpu::NW_ISA
