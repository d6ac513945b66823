// SPDX-License-Identifier: Apache-2.0
// Resampling: each output is a weighted sum of inputs, with weights that are the product of a row's and a column's. T:
// the type of storage.
#pragma once
#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

enum class Resampling : int { mean, padded, nearest, bilinear };

/// Positions begin … end - 1 along an axis.
struct Positions {
  int begin, end;
};
/// The inputs of the outputs along one axis, and their weights.
struct AxisMap {
  Resampling kind;
  int in, out;
  int first;  // Resampling::padded: the position of the first input
  NW_HOST_DEVICE float weight(int o, int i) const {
    if (kind == Resampling::padded) return o == first + i ? 1.0f : 0.0f;
    if (kind == Resampling::nearest) return i == o * in / out ? 1.0f : 0.0f;
    if (kind == Resampling::bilinear) return between(o, i);
    const int begin = o * in / out, end = ((o + 1) * in + out - 1) / out;
    return i >= begin && i < end ? 1 / static_cast<float>(end - begin) : 0.0f;
  }
  /// A range outside which no input has a weight in output o; and one outside which input i has no weight in an output.
  NW_HOST_DEVICE Positions inputs(int o) const {
    if (kind == Resampling::padded) return clipped(o - first, o - first + 1, in);
    return clipped(o * in / out - 1, ((o + 1) * in + out - 1) / out + 1, in);
  }
  NW_HOST_DEVICE Positions outputs(int i) const {
    if (kind == Resampling::padded) return {first + i, first + i + 1};
    return clipped((i - 1) * out / in - 1, ((i + 2) * out + in - 1) / in + 1, out);
  }

 private:
  NW_HOST_DEVICE static Positions clipped(int begin, int end, int size) {
    return {begin < 0 ? 0 : begin, end > size ? size : end};
  }
  // Linear interpolation between the centres of pixels; constant before the first centre and after the last.
  NW_HOST_DEVICE float between(int o, int i) const {
    const int above = (2 * o + 1) * in - out, last = in - 1;  // twice the output size times the centre
    const int low = above < 0                  ? 0
                    : above / (2 * out) < last ? above / (2 * out)
                                               : last,
              high = low < last ? low + 1 : last;
    const float part =
        above < 0 || low == last ? 0.0f : static_cast<float>(above - 2 * out * low) / static_cast<float>(2 * out);
    return (i == low ? 1 - part : 0.0f) + (i == high ? part : 0.0f);
  }
};

/// Index: an element of y.
template <class T>
struct Resample {
  AxisMap rows, columns;
  const T* x;
  T* y;
  int channels;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 image = static_cast<i64>(rows.out) * columns.out * channels, n = index / image;
    const int at = static_cast<int>(index % image), c = at % channels, ox = at / channels % columns.out,
              oy = at / channels / columns.out;
    const T* from = x + n * rows.in * columns.in * channels + c;
    const Positions ys = rows.inputs(oy), xs = columns.inputs(ox);
    float sum = 0;
    for (int iy = ys.begin; iy < ys.end; ++iy)
      for (int ix = xs.begin; ix < xs.end; ++ix)
        if (const float w = rows.weight(oy, iy) * columns.weight(ox, ix); w != 0)
          sum += w * static_cast<float>(from[(iy * columns.in + ix) * channels]);
    y[index] = sum;
  }
};
/// Index: an element of dx.
template <class T>
struct ResampleGrad {
  AxisMap rows, columns;
  const T* dy;
  T* dx;
  int channels;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 image = static_cast<i64>(rows.in) * columns.in * channels, n = index / image;
    const int at = static_cast<int>(index % image), c = at % channels, ix = at / channels % columns.in,
              iy = at / channels / columns.in;
    const T* from = dy + n * rows.out * columns.out * channels + c;
    const Positions ys = rows.outputs(iy), xs = columns.outputs(ix);
    float sum = 0;
    for (int oy = ys.begin; oy < ys.end; ++oy)
      for (int ox = xs.begin; ox < xs.end; ++ox)
        if (const float w = rows.weight(oy, iy) * columns.weight(ox, ix); w != 0)
          sum += w * static_cast<float>(from[(oy * columns.out + ox) * channels]);
    dx[index] = sum;
  }
};

/// Factors of equal shape, or with one number for each sample and channel; more than `most` take several calls.
template <class T>
struct Factors {
  static constexpr int most = 8;
  const T* x[most];
  bool per_channel[most];
  int count;
  i64 channels, pixels;
  NW_HOST_DEVICE float at(i64 e) const {
    const i64 n = e / (channels * pixels), c = e % channels;
    float product = 1;
    NW_UNROLL  // an index that the compiler does not know would copy the pointers to local memory
        for (int k = 0; k < most; ++k) {
      if (k >= count) break;
      product *= static_cast<float>(x[k][per_channel[k] ? n * channels + c : e]);
    }
    return product;
  }
};
/// Index: an element of y.
template <class T>
struct Multiply {
  Factors<T> factors;
  T* y;
  NW_HOST_DEVICE void operator()(i64 e) const { y[e] = factors.at(e); }
};
/// The terms of SumPixels.
template <class T>
struct MultiplyGradScale {
  Factors<T> factors;
  T* dx;
  NW_HOST_DEVICE float at(i64 e) const { return factors.at(e); }
  NW_HOST_DEVICE void store(i64 i, double sum) const { dx[i] = static_cast<float>(sum); }
};

}  // namespace nw::cuda
