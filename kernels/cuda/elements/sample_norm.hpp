// SPDX-License-Identifier: Apache-2.0
// Layer norm (Ba, Kiros and Hinton, 2016) and group norm (Wu and He, 2018), each sample by itself; PReLU (He et al.,
// 2015).
#pragma once
#include <math.h>

#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

/// The group and the weight of each element of a sample: there is one weight for each channel, or one for each element
/// in (C,H,W) order.
struct NormShape {
  int channels, pixels, groups, wide;  // wide: channels of a group
  bool per_channel;
  NW_HOST_DEVICE int per_sample() const { return channels * pixels; }
  NW_HOST_DEVICE int group(int e) const { return e % channels / wide; }
  NW_HOST_DEVICE int weight(int e) const { return per_channel ? e % channels : e % channels * pixels + e / channels; }
  /// Calls f(element of a sample) for every element of group g.
  template <class F>
  NW_HOST_DEVICE void each_of(int g, F f) const {
    for (int q = 0; q < pixels; ++q)
      for (int c = g * wide; c < (g + 1) * wide; ++c) f(q * channels + c);
  }
};

/// Index: (sample, group). Computes the group's mean and 1 / sqrt(variance + eps).
template <class T>
struct SampleNormStats {
  NormShape s;
  const T* x;
  float* mean_invstd;
  double eps;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 n = index / s.groups;
    const int g = static_cast<int>(index % s.groups);
    const T* from = x + n * s.per_sample();
    const double count = s.wide * s.pixels;
    double sum = 0, squares = 0;
    s.each_of(g, [&](int e) { sum += static_cast<float>(from[e]); });
    const double mean = sum / count;
    s.each_of(g,
              [&](int e) { squares += (static_cast<float>(from[e]) - mean) * (static_cast<float>(from[e]) - mean); });
    float* to = mean_invstd + 2 * s.groups * n + g;
    to[0] = static_cast<float>(mean);
    to[s.groups] = static_cast<float>(1 / sqrt(squares / count + eps));
  }
};
/// Common to the passes over a normalized sample.
template <class T>
struct SampleNorm {
  NormShape s;
  const T* x;
  const float *mean_invstd, *weight;  // weight: may be null
  NW_HOST_DEVICE float invstd(i64 n, int e) const { return mean_invstd[2 * s.groups * n + s.groups + s.group(e)]; }
  NW_HOST_DEVICE float xhat(i64 n, int e) const {
    return (static_cast<float>(x[n * s.per_sample() + e]) - mean_invstd[2 * s.groups * n + s.group(e)]) * invstd(n, e);
  }
  NW_HOST_DEVICE float scale(int e) const { return weight ? weight[s.weight(e)] : 1.0f; }
};
/// Index: an element of y.
template <class T>
struct SampleNormApply {
  SampleNorm<T> norm;
  const float* bias;  // may be null
  T* y;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 n = i / norm.s.per_sample();
    const int e = static_cast<int>(i - n * norm.s.per_sample());
    y[i] = norm.xhat(n, e) * norm.scale(e) + (bias ? bias[norm.s.weight(e)] : 0.0f);
  }
};
/// Index: (sample, group). {sum of dy w, sum of dy w xhat}
template <class T>
struct SampleNormGradStats {
  SampleNorm<T> norm;
  const T* dy;
  double* sums;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 n = index / norm.s.groups;
    const int g = static_cast<int>(index % norm.s.groups);
    const T* from = dy + n * norm.s.per_sample();
    const T* of = norm.x + n * norm.s.per_sample();
    const float mean = norm.mean_invstd[2 * norm.s.groups * n + g],
                invstd = norm.mean_invstd[2 * norm.s.groups * n + norm.s.groups + g];
    double first = 0, second = 0;
    norm.s.each_of(g, [&](int e) {
      const double d = static_cast<double>(static_cast<float>(from[e])) * norm.scale(e);
      first += d;
      second += d * ((static_cast<float>(of[e]) - mean) * invstd);
    });
    sums[2 * index] = first;
    sums[2 * index + 1] = second;
  }
};
/// Index: an element of dx.
template <class T>
struct SampleNormGradInput {
  SampleNorm<T> norm;
  const T* dy;
  const double* sums;
  T* dx;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 n = i / norm.s.per_sample();
    const int e = static_cast<int>(i - n * norm.s.per_sample());
    const double* of = sums + 2 * (n * norm.s.groups + norm.s.group(e));
    const double count = norm.s.wide * norm.s.pixels,
                 d = static_cast<double>(static_cast<float>(dy[i])) * norm.scale(e);
    dx[i] = static_cast<float>(norm.invstd(n, e) * (d - of[0] / count - norm.xhat(n, e) * of[1] / count));
  }
};
/// Index: a weight.
template <class T>
struct SampleNormGradWeight {
  SampleNorm<T> norm;
  const T* dy;
  float *dw, *db;  // db: may be null
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const int w = static_cast<int>(index), pixels = norm.s.per_channel ? norm.s.pixels : 1;
    const int first = norm.s.per_channel ? w : w % norm.s.pixels * norm.s.channels + w / norm.s.pixels,
              g = norm.s.group(first);
    double weight = 0, bias = 0;
    for (i64 n = 0; n < block->valid; ++n) {
      const float mean = norm.mean_invstd[2 * norm.s.groups * n + g],
                  invstd = norm.mean_invstd[2 * norm.s.groups * n + norm.s.groups + g];
      const i64 begin = n * norm.s.per_sample() + first;
      for (int q = 0; q < pixels; ++q) {
        const double d = static_cast<float>(dy[begin + q * norm.s.channels]);
        weight += d * ((static_cast<float>(norm.x[begin + q * norm.s.channels]) - mean) * invstd);
        bias += d;
      }
    }
    dw[index] = static_cast<float>(weight);
    if (db) db[index] = static_cast<float>(bias);
  }
};

/// Index: an element of y, or of dx with dy in place of x; the sign of `by` selects the slope.
template <class T>
struct Prelu {
  const T *x, *by;
  const float* slope;
  T* y;
  i64 channels, slopes;  // slopes: 1, or one for each channel
  NW_HOST_DEVICE void operator()(i64 i) const {
    const float v = x[i];
    y[i] = static_cast<float>(by[i]) > 0 ? v : slope[i % channels % slopes] * v;
  }
};
/// Index: (slice of the rows, channel); SumParts adds the slices. Rows are samples times pixels.
template <class T>
struct PreluGradWeight {
  const T *dy, *x;
  double* parts;
  i64 rows, channels, rows_per_sample, slices;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const Range range = slice_of(rows, slices, index / channels);
    double sum = 0;
    for (i64 row = range.begin; row < smaller(range.end, block->valid * rows_per_sample); ++row) {
      const i64 at = row * channels + index % channels;
      const float v = x[at];
      if (!(v > 0)) sum += static_cast<double>(static_cast<float>(dy[at])) * v;
    }
    parts[index] = sum;
  }
};

}  // namespace nw::cuda
