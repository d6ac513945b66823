// SPDX-License-Identifier: Apache-2.0
// Concatenation, slicing and flattening along channels; softmax over them; T is the type of storage.
#pragma once
#include <math.h>

#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

/// Index: (row, one of `count` channels). Rows are samples times pixels.
template <class T>
struct CopyChannels {
  const T* from;
  T* to;
  i64 count, from_channels, from_first, to_channels, to_first;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 row = index / count, c = index % count;
    to[row * to_channels + to_first + c] = from[row * from_channels + from_first + c];
  }
};

/// Index: an element of the flat side, (n, channel, pixel). The other side is (n, pixel, channel).
template <class T>
struct Flatten {
  const T* image;
  T* flat;
  i64 channels, pixels;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 q = index % pixels, c = index / pixels % channels, n = index / pixels / channels;
    flat[index] = image[(n * pixels + q) * channels + c];
  }
};
/// Index: an element of the image.
template <class T>
struct FlattenGrad {
  const T* flat;
  T* image;
  i64 channels, pixels;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 c = index % channels, q = index / channels % pixels, n = index / channels / pixels;
    image[index] = flat[(n * channels + c) * pixels + q];
  }
};

/// Index: a row (sample and pixel).
template <class T>
struct Softmax {
  const T* x;
  T* y;
  i64 channels;
  NW_HOST_DEVICE void operator()(i64 row) const {
    const T* from = x + row * channels;
    T* to = y + row * channels;
    float largest = from[0];
    for (i64 k = 1; k < channels; ++k)
      largest = static_cast<float>(from[k]) > largest ? static_cast<float>(from[k]) : largest;
    LongSum sum;
    for (i64 k = 0; k < channels; ++k) sum.add(expf(static_cast<float>(from[k]) - largest));
    const auto scale = static_cast<float>(1 / sum.value());
    for (i64 k = 0; k < channels; ++k) to[k] = expf(static_cast<float>(from[k]) - largest) * scale;
  }
};
/// Index: a row.
template <class T>
struct SoftmaxGrad {
  const T *dy, *y;
  T* dx;
  i64 channels;
  NW_HOST_DEVICE void operator()(i64 row) const {
    const i64 first = row * channels;
    LongSum sum;
    for (i64 k = first; k < first + channels; ++k) sum.add(static_cast<float>(dy[k]) * static_cast<float>(y[k]));
    const auto dot = static_cast<float>(sum.value());
    for (i64 k = first; k < first + channels; ++k) dx[k] = static_cast<float>(y[k]) * (static_cast<float>(dy[k]) - dot);
  }
};

}  // namespace nw::cuda
