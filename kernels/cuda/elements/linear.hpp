// SPDX-License-Identifier: Apache-2.0
// y = x w^T + b and its gradients, one output number at a time; w is (out, in).
#pragma once
#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

/// Index: an element of y.
struct Linear {
  const float *x, *weight, *bias;
  float* y;
  i64 in, out;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 n = index / out, o = index % out;
    LongSum sum;
    for (i64 i = 0; i < in; ++i) sum.add(x[n * in + i] * weight[o * in + i]);
    y[index] = static_cast<float>(sum.value() + (bias ? bias[o] : 0.0f));
  }
};

/// Index: an element of dx.
struct LinearGradInput {
  const float *dy, *weight;
  float* dx;
  i64 in, out;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 n = index / in, i = index % in;
    LongSum sum;
    for (i64 o = 0; o < out; ++o) sum.add(dy[n * out + o] * weight[o * in + i]);
    dx[index] = static_cast<float>(sum.value());
  }
};

/// Index: (slice of the batch, weight); SumParts adds the slices.
struct LinearGradWeight {
  const float *dy, *x;
  double* parts;
  i64 batch, in, out, slices;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 at = index % (in * out), o = at / in, i = at % in;
    const Range samples = slice_of(batch, slices, index / (in * out));
    LongSum sum;
    for (i64 n = samples.begin; n < smaller(samples.end, block->valid); ++n) sum.add(dy[n * out + o] * x[n * in + i]);
    parts[index] = sum.value();
  }
};

}  // namespace nw::cuda
