// SPDX-License-Identifier: Apache-2.0
// The product of weights and pixels that convolution and linear layers are made of: a tile of outputs x pixels stays in
// registers while all channels and taps go by; a weight is broadcast, a pixel's 16 images are one vector.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

constexpr int most_outs = 4, most_pixels = width == 16 ? 6 : 3;  // 24 of 32 registers, 12 of 16

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
        acc[i][j] = p.accumulate ? load(p.y + (o + i) * p.y_out + p.y_pixel[q + j] + lane) : all(p.bias ? p.bias[o + i] : 0.0f);
    const float* w = p.w + o * p.w_out;
    const auto term = [&](i64 at) __attribute__((always_inline)) {
      Vec weight[outs];
#pragma GCC unroll 8
      for (int i = 0; i < outs; ++i) weight[i] = all(w[i * p.w_out]);
#pragma GCC unroll 8
      for (int j = 0; j < pixels; ++j) {
        const Vec v = load(x[j] + at);
#pragma GCC unroll 8
        for (int i = 0; i < outs; ++i) acc[i][j] += weight[i] * v;
      }
      w += p.w_term;
    };
    if (p.taps == 1)
      for (i64 c = 0, at = p.tap_offset[0]; c < p.channels; ++c, at += p.x_channel) term(at);
    else
      for (i64 c = 0; c < p.channels; ++c)
        for (i64 t = 0; t < p.taps; ++t) term(c * p.x_channel + p.tap_offset[t]);
#pragma GCC unroll 8
    for (int i = 0; i < outs; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < pixels; ++j) {
        const i64 at = (o + i) * p.y_out + p.y_pixel[q + j] + lane;
        Vec v = acc[i][j];
        if (p.relu) v = v <= 0.0f ? Vec{} : v;
        if (p.gate) v = load(p.gate + at) <= 0.0f ? Vec{} : v;
        store(p.y + at, v);
      }
  }
}

using Tile = void (*)(const Product&, i64, i64);
template <int o>
constexpr Tile tile_row(int pixels) {
  constexpr Tile row[] = {tile<o, 1>, tile<o, 2>, tile<o, 3>, tile<o, most_pixels >= 4 ? 4 : 1>,
                          tile<o, most_pixels >= 5 ? 5 : 1>, tile<o, most_pixels >= 6 ? 6 : 1>};
  return row[pixels - 1];
}
Tile tile_of(i64 outs, i64 pixels) {
  const int q = static_cast<int>(pixels);
  switch (outs) {
    case 1: return tile_row<1>(q);
    case 2: return tile_row<2>(q);
    case 3: return tile_row<3>(q);
    default: return tile_row<4>(q);
  }
}

}  // namespace

// Tiles of nearly equal size: 16 pixels are 6 + 5 + 5, 8 are 4 + 4.
void product(const Product& p) {
  const i64 out_tiles = (p.outs + most_outs - 1) / most_outs, pixel_tiles = (p.pixels + most_pixels - 1) / most_pixels;
  for (i64 i = 0; i < out_tiles; ++i) {
    const i64 o = p.outs * i / out_tiles, o_end = p.outs * (i + 1) / out_tiles;
    for (i64 j = 0; j < pixel_tiles; ++j) {
      const i64 q = p.pixels * j / pixel_tiles, q_end = p.pixels * (j + 1) / pixel_tiles;
      tile_of(o_end - o, q_end - q)(p, o, q);
    }
  }
}

}  // namespace nw::cpu::NW_ISA
