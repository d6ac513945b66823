// SPDX-License-Identifier: Apache-2.0
// Joining, cutting and flattening along channels; softmax over them.
#pragma once
#include <math.h>

#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

/// Index: (row, one of `count` channels). Rows are samples times pixels.
struct CopyChannels {
  const float* from;
  float* to;
  i64 count, from_channels, from_first, to_channels, to_first;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 row = index / count, c = index % count;
    to[row * to_channels + to_first + c] = from[row * from_channels + from_first + c];
  }
};

/// Index: an element of the flat side, (n, channel, pixel). The other side is (n, pixel, channel).
struct Flatten {
  const float* image;
  float* flat;
  i64 channels, pixels;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 q = index % pixels, c = index / pixels % channels, n = index / pixels / channels;
    flat[index] = image[(n * pixels + q) * channels + c];
  }
};
/// Index: an element of the image.
struct FlattenGrad {
  const float* flat;
  float* image;
  i64 channels, pixels;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 c = index % channels, q = index / channels % pixels, n = index / channels / pixels;
    image[index] = flat[(n * channels + c) * pixels + q];
  }
};

/// Index: a row (sample and pixel).
struct Softmax {
  const float* x;
  float* y;
  i64 channels;
  NW_HOST_DEVICE void operator()(i64 row) const {
    const float* from = x + row * channels;
    float* to = y + row * channels;
    float largest = from[0];
    for (i64 k = 1; k < channels; ++k) largest = from[k] > largest ? from[k] : largest;
    LongSum sum;
    for (i64 k = 0; k < channels; ++k) sum.add(to[k] = expf(from[k] - largest));
    const auto scale = static_cast<float>(1 / sum.value());
    for (i64 k = 0; k < channels; ++k) to[k] *= scale;
  }
};
/// Index: a row.
struct SoftmaxGrad {
  const float *dy, *y;
  float* dx;
  i64 channels;
  NW_HOST_DEVICE void operator()(i64 row) const {
    const i64 first = row * channels;
    LongSum sum;
    for (i64 k = first; k < first + channels; ++k) sum.add(dy[k] * y[k]);
    const auto dot = static_cast<float>(sum.value());
    for (i64 k = first; k < first + channels; ++k) dx[k] = y[k] * (dy[k] - dot);
  }
};

}  // namespace nw::cuda
