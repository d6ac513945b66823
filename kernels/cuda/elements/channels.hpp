// SPDX-License-Identifier: Apache-2.0
// Kernels that treat channels by themselves or the channels of one pixel together; T is the type of storage. The memory
// order is (n, pixel, channel).
#pragma once
#include <math.h>

#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

/// Index: an element of y. Each channel has one weight.
template <class T>
struct ScaleChannels {
  const T* x;
  const float* weight;
  T* y;
  i64 channels;
  NW_HOST_DEVICE void operator()(i64 i) const { y[i] = static_cast<float>(x[i]) * weight[i % channels]; }
};
/// Index: (slice of the rows, channel); SumParts adds the slices. Rows are samples times pixels.
template <class T>
struct ScaleChannelsGradWeight {
  const T *dy, *x;
  double* parts;
  i64 rows, channels, rows_per_sample, slices;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const Range range = slice_of(rows, slices, index / channels);
    double sum = 0;
    for (i64 row = range.begin; row < smaller(range.end, block->valid * rows_per_sample); ++row) {
      const i64 at = row * channels + index % channels;
      sum += static_cast<double>(static_cast<float>(dy[at])) * static_cast<float>(x[at]);
    }
    parts[index] = sum;
  }
};

/// Index: an element of y, to which a term with one number for each sample and channel is added.
template <class T>
struct AddSpread {
  const T *x, *spread;
  T* y;
  i64 channels, pixels;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 n = i / (channels * pixels);
    y[i] = (x ? static_cast<float>(x[i]) : 0.0f) + static_cast<float>(spread[n * channels + i % channels]);
  }
};

/// The first pixel with a channel's largest value; a NaN is larger than every number.
template <class T>
NW_HOST_DEVICE inline i64 largest_pixel(const T* x, i64 channels, i64 pixels) {
  i64 where = 0;
  float best = x[0];
  for (i64 q = 1; q < pixels; ++q) {
    const float v = x[q * channels];
    if (!(v > best || (v != v && best == best))) continue;
    best = v;
    where = q;
  }
  return where;
}
/// Index: (sample, channel).
template <class T>
struct GlobalMaxPool2d {
  const T* x;
  T* y;
  i64 channels, pixels;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const T* from = x + index / channels * channels * pixels + index % channels;
    y[index] = from[largest_pixel(from, channels, pixels) * channels];
  }
};
/// Index: (sample, channel), all of whose pixels it writes.
template <class T>
struct GlobalMaxPool2dGrad {
  const T *dy, *x;
  T* dx;
  i64 channels, pixels;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 at = index / channels * channels * pixels + index % channels,
              where = largest_pixel(x + at, channels, pixels);
    for (i64 q = 0; q < pixels; ++q) dx[at + q * channels] = q == where ? static_cast<float>(dy[index]) : 0.0f;
  }
};

/// Index: an element of y. Channel i of group g becomes channel i * groups + g.
template <class T>
struct ShuffleChannels {
  const T* x;
  T* y;
  i64 channels, groups;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 to = index % channels, from = to % groups * (channels / groups) + to / groups;
    y[index] = x[index - to + from];
  }
};

/// Index: an element of y. strides: of x, for a step along y's channels, rows and columns.
template <class T>
struct TransposeImage {
  const T* x;
  T* y;
  i64 per_sample, channels, width;
  i64 channel_step, row_step, column_step;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 n = index / per_sample, at = index % per_sample, c = at % channels, ix = at / channels % width,
              iy = at / channels / width;
    y[index] = x[n * per_sample + c * channel_step + iy * row_step + ix * column_step];
  }
};

/// Index: an element of y in memory. The elements keep their (C,H,W) order.
template <class T>
struct ReshapeImage {
  const T* x;
  T* y;
  i64 per_sample, channels, pixels, x_channels, x_pixels;  // channels, pixels: of y
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 n = index / per_sample, at = index % per_sample, e = at % channels * pixels + at / channels;
    y[index] = x[n * per_sample + e % x_pixels * x_channels + e / x_pixels];
  }
};

/// Index: an element of y. Channels [first, first + x_channels) are x's, the others zero.
template <class T>
struct SpreadSlice {
  const T* x;
  T* y;
  i64 channels, x_channels, first;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 row = index / channels, c = index % channels - first;
    y[index] = c >= 0 && c < x_channels ? static_cast<float>(x[row * x_channels + c]) : 0.0f;
  }
};

/// Layer norm over the channels of one pixel. mean_invstd: two numbers for each row (sample and pixel).
template <class T>
struct ChannelNorm {
  const T* x;
  const float *mean_invstd, *weight;  // weight: may be null
  i64 channels;
  NW_HOST_DEVICE float xhat(i64 row, i64 c) const {
    return (static_cast<float>(x[row * channels + c]) - mean_invstd[2 * row]) * mean_invstd[2 * row + 1];
  }
  NW_HOST_DEVICE float scale(i64 c) const { return weight ? weight[c] : 1.0f; }
};
/// Index: an element of y.
template <class T>
struct ChannelNormApply {
  ChannelNorm<T> norm;
  const float* bias;  // may be null
  T* y;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 c = i % norm.channels;
    y[i] = norm.xhat(i / norm.channels, c) * norm.scale(c) + (bias ? bias[c] : 0.0f);
  }
};
/// Index: (slice of the rows, channel, 0 for the weight or 1 for the bias); SumParts adds the slices.
template <class T>
struct ChannelNormGradWeight {
  ChannelNorm<T> norm;
  const T* dy;
  double* parts;
  i64 rows, rows_per_sample, slices;
  bool bias;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const Range range = slice_of(rows, slices, index / norm.channels);
    const i64 c = index % norm.channels;
    double sum = 0;
    for (i64 row = range.begin; row < smaller(range.end, block->valid * rows_per_sample); ++row) {
      const double d = static_cast<float>(dy[row * norm.channels + c]);
      sum += bias ? d : d * norm.xhat(row, c);
    }
    parts[index] = sum;
  }
};

/// Local response normalization (Krizhevsky et al., 2012, 3.3): the base of a channel's divisor.
template <class T>
struct Response {
  const T* x;
  i64 channels, below, above;  // the window of channel c: [c - below, c + above]
  float share, beta, k;        // share: alpha / size
  NW_HOST_DEVICE float base(const T* pixel, i64 c) const {
    float sum = 0;
    for (i64 j = larger(c - below, 0); j <= smaller(c + above, channels - 1); ++j)
      sum += static_cast<float>(pixel[j]) * static_cast<float>(pixel[j]);
    return k + share * sum;
  }
};
/// Index: an element of y.
template <class T>
struct LocalResponseNorm {
  Response<T> r;
  T* y;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 c = i % r.channels;
    y[i] = static_cast<float>(r.x[i]) * powf(r.base(r.x + i - c, c), -r.beta);
  }
};
/// Index: an element of dx.
template <class T>
struct LocalResponseNormGrad {
  Response<T> r;
  const T* dy;
  T* dx;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 j = i % r.channels, first = i - j;
    const T* pixel = r.x + first;
    float sum = 0;
    for (i64 c = larger(j - r.above, 0); c <= smaller(j + r.below, r.channels - 1); ++c)
      sum += static_cast<float>(dy[first + c]) * static_cast<float>(pixel[c]) * powf(r.base(pixel, c), -r.beta - 1);
    dx[i] = static_cast<float>(dy[i]) * powf(r.base(pixel, j), -r.beta) -
            2 * r.share * r.beta * static_cast<float>(r.x[i]) * sum;
  }
};

}  // namespace nw::cuda
