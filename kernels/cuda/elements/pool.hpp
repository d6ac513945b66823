// SPDX-License-Identifier: Apache-2.0
// Pooling; T is the type in which images are stored. Each element of dx gathers from the windows that cover it.
#pragma once
#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

struct PoolShape {
  i64 c, h, w, oh, ow, kh, kw, sh, sw, ph, pw;
  NW_HOST_DEVICE i64 x_at(i64 n, i64 iy, i64 ix) const { return ((n * h + iy) * w + ix) * c; }
  NW_HOST_DEVICE i64 y_at(i64 n, i64 oy, i64 ox) const { return ((n * oh + oy) * ow + ox) * c; }
};

/// The windows along one axis that cover position `at`: first … last.
NW_HOST_DEVICE inline Range windows_over(i64 at, i64 padding, i64 kernel, i64 stride, i64 count) {
  const i64 low = at + padding - kernel + 1, first = low <= 0 ? 0 : (low + stride - 1) / stride;
  return {first, smaller((at + padding) / stride, count - 1)};
}

/// Index: an element of y.
template <class T>
struct MaxPool2d {
  PoolShape s;
  const T* x;
  T* y;
  std::uint8_t* argmax;  // may be null
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 c = index % s.c, ox = index / s.c % s.ow, oy = index / s.c / s.ow % s.oh, n = index / s.c / s.ow / s.oh;
    float best = 0;
    i64 where = -1;
    for (i64 ky = 0; ky < s.kh; ++ky) {
      const i64 iy = oy * s.sh - s.ph + ky;
      if (iy < 0 || iy >= s.h) continue;
      for (i64 kx = 0; kx < s.kw; ++kx) {
        const i64 ix = ox * s.sw - s.pw + kx;
        if (ix < 0 || ix >= s.w) continue;
        const float v = x[s.x_at(n, iy, ix) + c];
        if (where < 0 || v > best || (v != v && best == best)) {
          best = v;
          where = ky * s.kw + kx;
        }
      }
    }
    y[index] = best;
    if (argmax) argmax[index] = static_cast<std::uint8_t>(where < 0 ? 0 : where);
  }
};

/// Index: an element of dx.
template <class T>
struct MaxPool2dGrad {
  PoolShape s;
  const T* dy;
  const std::uint8_t* argmax;
  T* dx;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 c = index % s.c, ix = index / s.c % s.w, iy = index / s.c / s.w % s.h, n = index / s.c / s.w / s.h;
    const Range rows = windows_over(iy, s.ph, s.kh, s.sh, s.oh), columns = windows_over(ix, s.pw, s.kw, s.sw, s.ow);
    float sum = 0;
    for (i64 oy = rows.begin; oy <= rows.end; ++oy)
      for (i64 ox = columns.begin; ox <= columns.end; ++ox) {
        const i64 at = s.y_at(n, oy, ox) + c, k = (iy + s.ph - oy * s.sh) * s.kw + ix + s.pw - ox * s.sw;
        if (argmax[at] == k) sum += dy[at];
      }
    dx[index] = sum;
  }
};

/// The weight of each number in an average: padding counts, if at all, only inside the padded image (as in PyTorch).
NW_HOST_DEVICE inline float pool_share(const PoolShape& s, i64 oy, i64 ox, bool with_padding) {
  const i64 top = oy * s.sh - s.ph, left = ox * s.sw - s.pw, edge = with_padding ? 1 : 0;
  const i64 bottom = smaller(top + s.kh, s.h + edge * s.ph), right = smaller(left + s.kw, s.w + edge * s.pw);
  const i64 rows = bottom - (with_padding ? top : larger(top, 0)),
            columns = right - (with_padding ? left : larger(left, 0));
  return 1 / static_cast<float>(static_cast<int>(rows * columns));
}

/// Index: an element of y.
template <class T>
struct AvgPool2d {
  PoolShape s;
  const T* x;
  T* y;
  bool with_padding;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 c = index % s.c, ox = index / s.c % s.ow, oy = index / s.c / s.ow % s.oh, n = index / s.c / s.ow / s.oh;
    float sum = 0;
    for (i64 iy = larger(oy * s.sh - s.ph, 0); iy < smaller(oy * s.sh - s.ph + s.kh, s.h); ++iy)
      for (i64 ix = larger(ox * s.sw - s.pw, 0); ix < smaller(ox * s.sw - s.pw + s.kw, s.w); ++ix)
        sum += x[s.x_at(n, iy, ix) + c];
    y[index] = sum * pool_share(s, oy, ox, with_padding);
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
    const i64 c = index % s.c, ix = index / s.c % s.w, iy = index / s.c / s.w % s.h, n = index / s.c / s.w / s.h;
    const Range rows = windows_over(iy, s.ph, s.kh, s.sh, s.oh), columns = windows_over(ix, s.pw, s.kw, s.sw, s.ow);
    float sum = 0;
    for (i64 oy = rows.begin; oy <= rows.end; ++oy)
      for (i64 ox = columns.begin; ox <= columns.end; ++ox)
        sum += static_cast<float>(dy[s.y_at(n, oy, ox) + c]) * pool_share(s, oy, ox, with_padding);
    dx[index] = sum;
  }
};

/// Index: (sample, channel).
template <class T>
struct GlobalAvgPool2d {
  const T* x;
  T* y;
  i64 channels, pixels;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const T* from = x + index / channels * channels * pixels + index % channels;
    LongSum sum;
    for (i64 q = 0; q < pixels; ++q) sum.add(from[q * channels]);
    y[index] = static_cast<float>(sum.value() / static_cast<double>(pixels));
  }
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
