// SPDX-License-Identifier: Apache-2.0
// The input gradient of a convolution as a scatter: each tile of gradients is added to every position that a tap read,
// so that the zeros around an image take part in no product. Faster where images are small compared with their kernels.
#include "kernels/cpu/vector/sources.hpp"
#include "kernels/cpu/vector/tiles.hpp"

namespace nw::cpu::NW_ISA {
namespace {

constexpr int tile_pixels = width == 16 ? 4 : 3, tile_ins = static_cast<int>(max_outs(tile_pixels));

// dx[i][pixel] += sum over outputs of w[i][output] * dy[output][pixel]
template <int ins, int pixels>
void tile(const Scatter& s, const float* dy, const float* w, float* dx) {
  const i64 step = s.stride_w * lanes;
  for (int lane = 0; lane < lanes; lane += width) {
    Vec acc[ins][pixels];
#pragma GCC unroll 8
    for (int i = 0; i < ins; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < pixels; ++j) acc[i][j] = load(dx + i * s.dx_channel + j * step + lane);
    const float* d = dy + lane;
    for (i64 o = 0; o < s.outs; ++o, d += s.dy_channel) {
      Vec v[pixels];
#pragma GCC unroll 8
      for (int j = 0; j < pixels; ++j) v[j] = load(d + j * lanes);
#pragma GCC unroll 8
      for (int i = 0; i < ins; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < pixels; ++j) acc[i][j] += w[i * s.outs + o] * v[j];
    }
#pragma GCC unroll 8
    for (int i = 0; i < ins; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < pixels; ++j) store(dx + i * s.dx_channel + j * step + lane, acc[i][j]);
  }
}

using Tile = void (*)(const Scatter&, const float*, const float*, float*);
template <int pixels>
Tile tile_of_ins(i64 ins) {
  switch (ins) {
    case 1:
      return tile<1, pixels>;
    case 2:
      return tile<2, pixels>;
    case 3:
      return tile<3, pixels>;
    case 4:
      return tile<4, pixels>;
    case 5:
      return tile < tile_ins >= 5 ? 5 : 1, pixels > ;
    default:
      return tile < tile_ins >= 6 ? 6 : 1, pixels > ;
  }
}
Tile tile_of(i64 ins, i64 pixels) {
  switch (pixels) {
    case 1:
      return tile_of_ins<1>(ins);
    case 2:
      return tile_of_ins<2>(ins);
    case 3:
      return tile_of_ins<3>(ins);
    default:
      return tile_of_ins<tile_pixels>(ins);
  }
}

// Adds the gradients [first, last) of one row through one row of taps.
void add_row(const Scatter& s, i64 row, i64 y, i64 ky, i64 first, i64 last) {
  const Parts ins(s.ins, tile_ins);
  for (i64 kx = 0; kx < s.kernel_w; ++kx) {
    const i64 shift = kx * s.dilation_w - s.pad_w;
    i64 q = first, end = last;
    while (q < end && q * s.stride_w + shift < 0) ++q;
    while (q < end && (end - 1) * s.stride_w + shift >= s.width) --end;
    if (q == end) continue;
    for (i64 t = 0; t < ins.parts; ++t) {
      const i64 i = ins.begin(t);
      tile_of(ins.begin(t + 1) - i, end - q)(s, s.dy + (row * s.columns + q) * lanes,
                                             s.w + ((ky * s.kernel_w + kx) * s.ins + i) * s.outs,
                                             s.dx + i * s.dx_channel + (y * s.width + q * s.stride_w + shift) * lanes);
    }
  }
}

}  // namespace

void scatter(const Scatter& s) {
  for (i64 i = 0; i < s.ins; ++i)
    for (i64 q = 0; q < s.height * s.width * lanes; q += width) store(s.dx + i * s.dx_channel + q, Vec{});
  const Parts tiles(s.columns, tile_pixels);
  for (i64 row = 0; row < s.rows; ++row)
    for (i64 t = 0; t < tiles.parts; ++t)
      for (i64 ky = 0; ky < s.kernel_h; ++ky) {
        const i64 y = row * s.stride_h + ky * s.dilation_h - s.pad_h;
        if (y >= 0 && y < s.height) add_row(s, row, y, ky, tiles.begin(t), tiles.begin(t + 1));
      }
}

}  // namespace nw::cpu::NW_ISA
