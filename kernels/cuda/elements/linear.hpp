// SPDX-License-Identifier: Apache-2.0
// y = x w^T + b and its gradients, one number of output at a time; w is (out, in). T: the type in which x, y and the
// weights are stored.
#pragma once
#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

/// Index: an element of y.
template <class T>
struct Linear {
  const T *x, *weight;
  const float* bias;
  T* y;
  i64 in, out;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 n = index / out, o = index % out;
    LongSum sum;
    for (i64 i = 0; i < in; ++i) sum.add(static_cast<float>(x[n * in + i]) * static_cast<float>(weight[o * in + i]));
    y[index] = static_cast<float>(sum.value() + (bias ? bias[o] : 0.0f));
  }
};

/// Index: an element of dx.
template <class T>
struct LinearGradInput {
  const T *dy, *weight;
  T* dx;
  i64 in, out;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 n = index / in, i = index % in;
    LongSum sum;
    for (i64 o = 0; o < out; ++o) sum.add(static_cast<float>(dy[n * out + o]) * static_cast<float>(weight[o * in + i]));
    dx[index] = static_cast<float>(sum.value());
  }
};

/// Index: (slice of the rows, weight); SumParts adds the slices. Rows are samples, or pixels of images.
template <class T>
struct LinearGradWeight {
  const T *dy, *x;
  double* parts;
  i64 batch, in, out, slices, rows_per_sample;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 at = index % (in * out), o = at / in, i = at % in;
    const Range samples = slice_of(batch, slices, index / (in * out));
    LongSum sum;
    for (i64 n = samples.begin; n < smaller(samples.end, block->valid * rows_per_sample); ++n)
      sum.add(static_cast<float>(dy[n * out + o]) * static_cast<float>(x[n * in + i]));
    parts[index] = sum.value();
  }
};

}  // namespace nw::cuda
