// SPDX-License-Identifier: Apache-2.0
// Pooling; T is the type in which images are stored. Each element of dx gathers from the windows that cover it.
#pragma once
#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

struct PoolShape {
  int c, h, w, oh, ow, kh, kw, sh, sw, ph, pw;
  NW_HOST_DEVICE i64 x_at(i64 n, int iy, int ix) const { return ((n * h + iy) * w + ix) * c; }
  NW_HOST_DEVICE i64 y_at(i64 n, int oy, int ox) const { return ((n * oh + oy) * ow + ox) * c; }
};

/// The place of a thread's W channels in an image of `height` by `width` pixels with `channels` channels.
struct PoolPlace {
  i64 n;
  int y, x, c;
};
template <int W>
NW_HOST_DEVICE inline PoolPlace pool_place(i64 index, int channels, int height, int width) {
  const Division group = divide(index, channels / W), column = divide(group.quotient, width),
                 row = divide(column.quotient, height);
  return {row.quotient, row.rest, column.rest, group.rest * W};
}

/// The windows along one axis that cover position `at`: first … last.
struct Windows {
  int first, last;
};
NW_HOST_DEVICE inline Windows windows_over(int at, int padding, int kernel, int stride, int count) {
  const int low = at + padding - kernel + 1, last = (at + padding) / stride;
  return {low <= 0 ? 0 : (low + stride - 1) / stride, last < count - 1 ? last : count - 1};
}

/// Index: W adjacent channels of y.
template <class T, int W>
struct MaxPool2d {
  PoolShape s;
  const T* x;
  T* y;
  std::uint8_t* argmax;  // may be null
  NW_HOST_DEVICE void operator()(i64 index) const {
    const PoolPlace at = pool_place<W>(index, s.c, s.oh, s.ow);
    float best[W] = {};
    Pack<std::uint8_t, W> where{};
    bool any = false;
    for (int ky = 0; ky < s.kh; ++ky) {
      const int iy = at.y * s.sh - s.ph + ky;
      if (iy < 0 || iy >= s.h) continue;
      for (int kx = 0; kx < s.kw; ++kx) {
        const int ix = at.x * s.sw - s.pw + kx;
        if (ix < 0 || ix >= s.w) continue;
        take(read_pack<W>(x + s.x_at(at.n, iy, ix) + at.c), static_cast<std::uint8_t>(ky * s.kw + kx), !any, best,
             where);
        any = true;
      }
    }
    Pack<T, W> to;
    for (int v = 0; v < W; ++v) to.at[v] = best[v];
    write_pack(y + index * W, to);
    if (argmax) write_pack(argmax + index * W, where);
  }

 private:
  NW_HOST_DEVICE static void take(const Pack<T, W>& from, std::uint8_t k, bool first, float (&best)[W],
                                  Pack<std::uint8_t, W>& where) {
    for (int i = 0; i < W; ++i) {
      const float v = from.at[i];
      if (!first && !(v > best[i] || (v != v && best[i] == best[i]))) continue;
      best[i] = v;
      where.at[i] = k;
    }
  }
};

/// Index: W adjacent channels of dx.
template <class T, int W>
struct MaxPool2dGrad {
  PoolShape s;
  const T* dy;
  const std::uint8_t* argmax;
  T* dx;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const PoolPlace at = pool_place<W>(index, s.c, s.h, s.w);
    const Windows rows = windows_over(at.y, s.ph, s.kh, s.sh, s.oh),
                  columns = windows_over(at.x, s.pw, s.kw, s.sw, s.ow);
    float sum[W] = {};
    for (int oy = rows.first; oy <= rows.last; ++oy)
      for (int ox = columns.first; ox <= columns.last; ++ox) {
        const i64 from = s.y_at(at.n, oy, ox) + at.c;
        const int k = (at.y + s.ph - oy * s.sh) * s.kw + at.x + s.pw - ox * s.sw;
        const auto chosen = read_pack<W>(argmax + from);
        const auto d = read_pack<W>(dy + from);
        for (int v = 0; v < W; ++v) sum[v] += chosen.at[v] == k ? static_cast<float>(d.at[v]) : 0.0f;
      }
    Pack<T, W> to;
    for (int v = 0; v < W; ++v) to.at[v] = sum[v];
    write_pack(dx + index * W, to);
  }
};

/// The positions along one axis that count in the average of a window: padding counts, if at all, only inside the
/// padded image (as in PyTorch).
NW_HOST_DEVICE inline int pool_extent(int window, int stride, int padding, int kernel, int size, bool with_padding) {
  const int begin = window * stride - padding, end = smaller(begin + kernel, with_padding ? size + padding : size);
  return end - (with_padding ? begin : larger(begin, 0));
}

/// Index: an element of y.
template <class T>
struct AvgPool2d {
  PoolShape s;
  const T* x;
  T* y;
  bool with_padding;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const PoolPlace at = pool_place<1>(index, s.c, s.oh, s.ow);
    const int top = larger(at.y * s.sh - s.ph, 0), left = larger(at.x * s.sw - s.pw, 0);
    float sum = 0;
    for (int iy = top; iy < smaller(at.y * s.sh - s.ph + s.kh, s.h); ++iy)
      for (int ix = left; ix < smaller(at.x * s.sw - s.pw + s.kw, s.w); ++ix) sum += x[s.x_at(at.n, iy, ix) + at.c];
    const int count =
        pool_extent(at.y, s.sh, s.ph, s.kh, s.h, with_padding) * pool_extent(at.x, s.sw, s.pw, s.kw, s.w, with_padding);
    y[index] = sum * (1 / static_cast<float>(count));
  }
};

/// Index: an element of dx.
template <class T>
struct AvgPool2dGrad {
  PoolShape s;
  const T* dy;
  T* dx;
  bool with_padding;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const PoolPlace at = pool_place<1>(index, s.c, s.h, s.w);
    const Windows rows = windows_over(at.y, s.ph, s.kh, s.sh, s.oh),
                  columns = windows_over(at.x, s.pw, s.kw, s.sw, s.ow);
    float sum = 0;
    for (int oy = rows.first; oy <= rows.last; ++oy) {
      const int high = pool_extent(oy, s.sh, s.ph, s.kh, s.h, with_padding);
      for (int ox = columns.first; ox <= columns.last; ++ox) {
        const int count = high * pool_extent(ox, s.sw, s.pw, s.kw, s.w, with_padding);
        sum += static_cast<float>(dy[s.y_at(at.n, oy, ox) + at.c]) * (1 / static_cast<float>(count));
      }
    }
    dx[index] = sum;
  }
};

/// The terms of SumPixels.
template <class T>
struct GlobalAvgPool2d {
  const T* x;
  T* y;
  i64 pixels;
  NW_HOST_DEVICE float at(i64 e) const { return x[e]; }
  NW_HOST_DEVICE void store(i64 i, double sum) const { y[i] = static_cast<float>(sum / static_cast<double>(pixels)); }
};
/// Index: an element of dx.
template <class T>
struct GlobalAvgPool2dGrad {
  const T* dy;
  T* dx;
  i64 channels, pixels;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 n = index / (channels * pixels);
    dx[index] = static_cast<float>(dy[n * channels + index % channels]) / static_cast<float>(pixels);
  }
};

}  // namespace nw::cuda
