// SPDX-License-Identifier: Apache-2.0
// Convolution by its definition, one number of the output at a time. Images are nhwc. T: the type in which images and
// weights are stored; 16-bit weights are in the order (out, kh, kw, in per group), floats in (out, in per group, kh,
// kw), as gradients are.
#pragma once
#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

struct ConvShape {
  i64 n, c, h, w;  // x
  i64 o, oh, ow;   // y
  i64 kh, kw, sh, sw, ph, pw, dh, dw;
  i64 in_per_group, out_per_group;
  i64 w_channel, w_tap;  // offsets in the weights: to the next channel, to the next of kh * kw
  NW_HOST_DEVICE i64 weights() const { return o * kh * kw * in_per_group; }
  NW_HOST_DEVICE i64 weight(i64 out, i64 k, i64 ky, i64 kx) const {
    return out * in_per_group * kh * kw + k * w_channel + (ky * kw + kx) * w_tap;
  }
  NW_HOST_DEVICE i64 x_at(i64 in, i64 iy, i64 ix) const { return ((in * h + iy) * w + ix) * c; }
  NW_HOST_DEVICE i64 y_at(i64 in, i64 oy, i64 ox) const { return ((in * oh + oy) * ow + ox) * o; }
};

/// Index: an element of y.
template <class T>
struct Conv2d {
  ConvShape s;
  const T *x, *weight;
  const float* bias;
  T* y;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 out = index % s.o, ox = index / s.o % s.ow, oy = index / s.o / s.ow % s.oh, n = index / s.o / s.ow / s.oh;
    const i64 first = out / s.out_per_group * s.in_per_group;
    LongSum sum;
    for (i64 ky = 0; ky < s.kh; ++ky) {
      const i64 iy = oy * s.sh - s.ph + ky * s.dh;
      if (iy < 0 || iy >= s.h) continue;
      for (i64 kx = 0; kx < s.kw; ++kx) {
        const i64 ix = ox * s.sw - s.pw + kx * s.dw;
        if (ix < 0 || ix >= s.w) continue;
        const T *from = x + s.x_at(n, iy, ix) + first, *by = weight + s.weight(out, 0, ky, kx);
        for (i64 k = 0; k < s.in_per_group; ++k)
          sum.add(static_cast<float>(from[k]) * static_cast<float>(by[k * s.w_channel]));
      }
    }
    y[index] = static_cast<float>(sum.value() + (bias ? bias[out] : 0.0f));
  }
};

/// Index: an element of dx.
template <class T>
struct Conv2dGradInput {
  ConvShape s;
  const T *dy, *weight;
  T* dx;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 in = index % s.c, ix = index / s.c % s.w, iy = index / s.c / s.w % s.h, n = index / s.c / s.w / s.h;
    const i64 first = in / s.in_per_group * s.out_per_group, k = in % s.in_per_group;
    LongSum sum;
    for (i64 ky = 0; ky < s.kh; ++ky) {
      const i64 ty = iy + s.ph - ky * s.dh;
      if (ty < 0 || ty % s.sh != 0 || ty / s.sh >= s.oh) continue;
      for (i64 kx = 0; kx < s.kw; ++kx) {
        const i64 tx = ix + s.pw - kx * s.dw;
        if (tx < 0 || tx % s.sw != 0 || tx / s.sw >= s.ow) continue;
        const T* from = dy + s.y_at(n, ty / s.sh, tx / s.sw) + first;
        for (i64 out = 0; out < s.out_per_group; ++out)
          sum.add(static_cast<float>(from[out]) * static_cast<float>(weight[s.weight(first + out, k, ky, kx)]));
      }
    }
    dx[index] = static_cast<float>(sum.value());
  }
};

/// Index: (slice of the batch, weight); SumParts adds the slices.
template <class T>
struct Conv2dGradWeight {
  ConvShape s;
  const T *dy, *x;
  double* parts;
  i64 slices;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 at = index % s.weights(), kx = at % s.kw, ky = at / s.kw % s.kh;
    const i64 k = at / s.kw / s.kh % s.in_per_group, out = at / s.kw / s.kh / s.in_per_group;
    const i64 in = out / s.out_per_group * s.in_per_group + k;
    const Range samples = slice_of(s.n, slices, index / s.weights());
    LongSum sum;
    for (i64 n = samples.begin; n < smaller(samples.end, block->valid); ++n)
      for (i64 oy = 0; oy < s.oh; ++oy) {
        const i64 iy = oy * s.sh - s.ph + ky * s.dh;
        if (iy < 0 || iy >= s.h) continue;
        for (i64 ox = 0; ox < s.ow; ++ox) {
          const i64 ix = ox * s.sw - s.pw + kx * s.dw;
          if (ix >= 0 && ix < s.w)
            sum.add(static_cast<float>(dy[s.y_at(n, oy, ox) + out]) * static_cast<float>(x[s.x_at(n, iy, ix) + in]));
        }
      }
    parts[index] = sum.value();
  }
};

/// Index: an element of a filter (out, kh, kw, in per group), converted from a weight (out, in per group, kh, kw);
/// `taps` is kh * kw.
template <class T>
struct PackFilter {
  const float* weight;
  T* filter;
  i64 channels, taps;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 c = i % channels, tap = i / channels % taps, out = i / channels / taps;
    filter[i] = weight[(out * channels + c) * taps + tap];
  }
};
/// Several weights in one launch. Index: an element of one of the filters, which follow each other; other weights are
/// copied in their order, as filters with one channel and one tap.
template <class T>
struct PackFilters {
  static constexpr int most = 16;
  struct Filter {
    const float* weight;
    T* filter;
    i64 begin;  // index of its first element
    int channels, taps;
  };
  Filter filters[most];
  int count;
  NW_HOST_DEVICE void operator()(i64 i) const {
    int k = 0;
    while (k + 1 < count && i >= filters[k + 1].begin) ++k;
    const Filter& f = filters[k];
    const Division channel = divide(i - f.begin, f.channels), tap = divide(channel.quotient, f.taps);
    f.filter[i - f.begin] = f.weight[(tap.quotient * f.channels + channel.rest) * f.taps + tap.rest];
  }
};
/// Index: an element of a weight; the reverse of PackFilter. The filter has `stored` channels, of which the first are
/// the weight's.
template <class T>
struct UnpackFilter {
  const T* filter;
  float* weight;
  i64 channels, taps, stored;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 tap = i % taps, c = i / taps % channels, out = i / taps / channels;
    weight[i] = filter[(out * taps + tap) * stored + c];
  }
};
/// Index: an element of y, which has more channels than x, innermost in both; the additional channels are zero.
template <class T>
struct PadChannels {
  const T* x;
  T* y;
  i64 channels, padded;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 c = i % padded;
    y[i] = c < channels ? x[i / padded * channels + c] : T(0.0f);
  }
};

/// Index: an element of y, whose channels are innermost: adds the bias, and with `relu` sets negative numbers to zero.
template <class T>
struct AddBias {
  T* y;
  const float* bias;  // may be null
  i64 channels;
  bool relu;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const float v = static_cast<float>(y[i]) + (bias ? bias[i % channels] : 0.0f);
    y[i] = relu && v < 0 ? 0.0f : v;
  }
};

}  // namespace nw::cuda
