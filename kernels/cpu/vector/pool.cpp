// SPDX-License-Identifier: Apache-2.0
// Pooling of one shard: 16 images side by side, so a window has no edges but the image's.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

struct Cells {  // the part of a window that is inside the image
  i64 y0, y1, x0, x1, top, left;
};
NW_INLINE Cells cells_of(const PoolShape& s, i64 oy, i64 ox) {
  const i64 top = oy * s.stride_h - s.pad_h, left = ox * s.stride_w - s.pad_w;
  return {top < 0 ? 0 : top,
          top + s.kernel_h > s.in_h ? s.in_h : top + s.kernel_h,
          left < 0 ? 0 : left,
          left + s.kernel_w > s.in_w ? s.in_w : left + s.kernel_w,
          top,
          left};
}
NW_INLINE float inverse_count(const PoolShape& s, const Cells& w) {
  if (!s.count_include_pad) return 1.0f / static_cast<float>((w.y1 - w.y0) * (w.x1 - w.x0));
  const i64 bottom = w.top + s.kernel_h < s.in_h + s.pad_h ? w.top + s.kernel_h : s.in_h + s.pad_h;
  const i64 right = w.left + s.kernel_w < s.in_w + s.pad_w ? w.left + s.kernel_w : s.in_w + s.pad_w;
  return 1.0f / static_cast<float>((bottom - w.top) * (right - w.left));
}
// Calls f(offset of the channel's image, window, offset of the output) for all outputs; offsets count floats in lanes.
template <class F>
NW_INLINE void each_window(const PoolShape& s, F f) {
  i64 out = 0;
  for (i64 c = 0; c < s.channels; ++c)
    for (i64 oy = 0; oy < s.out_h; ++oy)
      for (i64 ox = 0; ox < s.out_w; ++ox, out += lanes) f(c * s.in_h * s.in_w * lanes, cells_of(s, oy, ox), out);
}
void clear(const PoolShape& s, float* dx) {
  for (i64 i = 0; i < s.channels * s.in_h * s.in_w * lanes; i += width) store(dx + i, Vec{});
}

}  // namespace

// The first maximum wins, a NaN beats every number.
void max_pool(const PoolShape& s, const float* x, float* y, std::uint8_t* argmax) {
  each_window(s, [&](i64 image, const Cells& w, i64 out) {
    for (int lane = 0; lane < lanes; lane += width) {
      Vec best = load(x + image + (w.y0 * s.in_w + w.x0) * lanes + lane);
      IntVec where = IntVec{} + static_cast<int>((w.y0 - w.top) * s.kernel_w + w.x0 - w.left);
      for (i64 iy = w.y0; iy < w.y1; ++iy)
        for (i64 ix = w.x0; ix < w.x1; ++ix) {
          const Vec v = load(x + image + (iy * s.in_w + ix) * lanes + lane);
          const IntVec better = (v > best) | ((v != v) & (best == best));
          best = better ? v : best;
          where = better ? IntVec{} + static_cast<int>((iy - w.top) * s.kernel_w + ix - w.left) : where;
        }
      store(y + out + lane, best);
      if (argmax) store_bytes(argmax + out + lane, where);
    }
  });
}

void max_pool_gradient(const PoolShape& s, const float* dy, const float* gate, const std::uint8_t* argmax, float* dx) {
  clear(s, dx);
  each_window(s, [&](i64 image, const Cells& w, i64 out) {
    for (int lane = 0; lane < lanes; lane += width) {
      Vec d = load(dy + out + lane);
      if (gate) d = load(gate + out + lane) <= 0.0f ? Vec{} : d;
      const IntVec where = load_bytes(argmax + out + lane);
      for (i64 iy = w.y0; iy < w.y1; ++iy)
        for (i64 ix = w.x0; ix < w.x1; ++ix) {
          float* to = dx + image + (iy * s.in_w + ix) * lanes + lane;
          const IntVec mine = where == static_cast<int>((iy - w.top) * s.kernel_w + ix - w.left);
          store(to, load(to) + (mine ? d : Vec{}));
        }
    }
  });
}

namespace {

template <int kernel_h, int kernel_w>
void block_pool_of(const BlockPool p) {  // a copy: stores cannot alias it
  const i64 kh = kernel_h ? kernel_h : p.kernel_h, kw = kernel_w ? kernel_w : p.kernel_w;
  for (i64 c = 0; c < p.channels; ++c)
    for (i64 row = 0; row < p.rows; ++row)
      for (i64 q = 0; q < p.columns * lanes; q += width) {
        const float* x = p.x + c * p.x_channel + row * kh * p.x_row + q / lanes * kw * lanes + q % lanes;
        Vec best = load(x);
        IntVec where = {};
        for (i64 ky = 0; ky < kh; ++ky)
          for (i64 kx = 0; kx < kw; ++kx) {
            if (ky == 0 && kx == 0) continue;
            const Vec v = load(x + ky * p.x_row + kx * lanes);
            const IntVec better = ~(v <= best) & (best == best);
            best = better ? v : best;
            where = better ? IntVec{} + static_cast<int>(ky * kw + kx) : where;
          }
        const i64 to = c * p.y_channel + row * p.columns * lanes + q;
        store(p.y + to, p.relu ? (best <= 0.0f ? Vec{} : best) : best);
        if (p.argmax) store_bytes(p.argmax + to, where);
      }
}

template <int kernel_h, int kernel_w>
void block_pool_gradient_of(const BlockPoolGradient p) {
  const i64 kh = kernel_h ? kernel_h : p.kernel_h, kw = kernel_w ? kernel_w : p.kernel_w, row_floats = p.in_w * lanes;
  const float* dy = p.dy;
  const std::uint8_t* argmax = p.argmax;
  for (i64 c = 0; c < p.channels; ++c) {
    float* const image = p.dx + c * p.in_h * row_floats;
    for (i64 row = 0; row < p.rows; ++row) {
      float* const top = image + row * kh * row_floats;
      for (i64 q = 0; q < p.columns * lanes; q += width, dy += width, argmax += width) {
        Vec d = load(dy);
        if (p.gate) d = load(p.gate + (dy - p.dy)) <= 0.0f ? Vec{} : d;
        const IntVec where = load_bytes(argmax);
        float* const to = top + q / lanes * kw * lanes + q % lanes;
        for (i64 ky = 0; ky < kh; ++ky)
          for (i64 kx = 0; kx < kw; ++kx)
            store(to + ky * row_floats + kx * lanes, where == static_cast<int>(ky * kw + kx) ? d : Vec{});
      }
      for (i64 ky = 0; ky < kh; ++ky)
        for (i64 q = p.columns * kw * lanes; q < row_floats; q += width) store(top + ky * row_floats + q, Vec{});
    }
    for (i64 i = p.rows * kh * row_floats; i < p.in_h * row_floats; i += width) store(image + i, Vec{});
  }
}

}  // namespace

void block_pool(const BlockPool& p) {
  if (p.kernel_h == 2 && p.kernel_w == 2)
    block_pool_of<2, 2>(p);
  else
    block_pool_of<0, 0>(p);
}

void block_pool_gradient(const BlockPoolGradient& p) {
  if (p.kernel_h == 2 && p.kernel_w == 2)
    block_pool_gradient_of<2, 2>(p);
  else
    block_pool_gradient_of<0, 0>(p);
}

void avg_pool(const PoolShape& s, const float* x, float* y) {
  each_window(s, [&](i64 image, const Cells& w, i64 out) {
    const float share = inverse_count(s, w);
    for (int lane = 0; lane < lanes; lane += width) {
      Vec sum = {};
      for (i64 iy = w.y0; iy < w.y1; ++iy)
        for (i64 ix = w.x0; ix < w.x1; ++ix) sum += load(x + image + (iy * s.in_w + ix) * lanes + lane);
      store(y + out + lane, sum * share);
    }
  });
}

// Where no two windows share a pixel, dx is written without being read; where the windows cover the image, it is not
// cleared first.
void avg_pool_gradient(const PoolShape& given, const float* dy, float* dx) {
  const PoolShape s = given;  // a copy: stores cannot alias it
  const bool apart = s.kernel_h <= s.stride_h && s.kernel_w <= s.stride_w;
  const bool covered = apart && s.pad_h == 0 && s.pad_w == 0 && s.kernel_h == s.stride_h && s.kernel_w == s.stride_w &&
                       s.out_h * s.stride_h >= s.in_h && s.out_w * s.stride_w >= s.in_w;
  if (!covered) clear(s, dx);
  each_window(s, [&](i64 image, const Cells& w, i64 out) {
    const float share = inverse_count(s, w);
    for (int lane = 0; lane < lanes; lane += width) {
      const Vec d = load(dy + out + lane) * share;
      for (i64 iy = w.y0; iy < w.y1; ++iy)
        for (i64 ix = w.x0; ix < w.x1; ++ix) {
          float* to = dx + image + (iy * s.in_w + ix) * lanes + lane;
          store(to, apart ? d : load(to) + d);
        }
    }
  });
}

}  // namespace nw::cpu::NW_ISA
