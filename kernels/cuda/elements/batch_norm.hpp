// SPDX-License-Identifier: Apache-2.0
// Batch normalization in parts (Ioffe and Szegedy, 2015). Statistics are sums in double, {first[C], second[C]}; T is
// the type in which images are stored.
#pragma once
#include <math.h>

#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

/// The result of SumColumns over parts (slice, 2, channel) of padding. i: a sum, then a sum of squares, of a channel:
/// those of the whole batch less those of the padding.
struct SubtractPadding {
  const float *sums, *squares;
  double* stats;
  i64 channels;
  NW_HOST_DEVICE void operator()(i64 i, double padding) const {
    stats[i] = (i < channels ? sums[i] : squares[i - channels]) - padding;
  }
};

/// The number of numbers per channel in the sums; see batch_norm_count.
NW_HOST_DEVICE inline double norm_count(const StepBlock& b, bool local, double spatial) {
  return static_cast<double>(larger(local ? b.valid : b.global_valid, 1)) * spatial;
}

/// Index: a channel. Running statistics are unchanged where the batch's are not finite.
struct BatchNormFinalize {
  const double* stats;
  float *running_mean, *running_var;
  i64* tracked;
  float* mean_invstd;
  i64 channels;
  double momentum, eps, spatial;
  bool local;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 c) const {
    const double count = norm_count(*block, local, spatial), mean = stats[c] / count;
    double var = stats[channels + c] / count - mean * mean;
    if (var < 0) var = 0;
    mean_invstd[c] = static_cast<float>(mean);
    mean_invstd[channels + c] = static_cast<float>(1 / sqrt(var + eps));
    if (c == 0 && tracked) ++*tracked;
    if ((local && block->valid == 0) || !isfinite(mean) || !isfinite(stats[channels + c])) return;
    const double unbiased = count > 1 ? var * count / (count - 1) : var;
    running_mean[c] = static_cast<float>((1 - momentum) * running_mean[c] + momentum * mean);
    running_var[c] = static_cast<float>((1 - momentum) * running_var[c] + momentum * unbiased);
  }
};

/// Index: an element of y.
template <class T>
struct BatchNormInference {
  const T *x, *residual;                    // residual: may be null
  const float *mean, *var, *weight, *bias;  // mean, bias: null for the linear part alone
  T* y;
  i64 channels;
  float eps;
  bool relu;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 c = i % channels;
    float v = (static_cast<float>(x[i]) - (mean ? mean[c] : 0.0f)) * (1 / sqrtf(var[c] + eps)) * weight[c] +
              (bias ? bias[c] : 0.0f);
    if (residual) v += static_cast<float>(residual[i]);
    y[i] = relu && v < 0 ? 0.0f : v;
  }
};

/// Index: a channel.
struct BatchNormGradWeight {
  const double* dstats;
  float *dw, *db;  // either may be null
  i64 channels;
  NW_HOST_DEVICE void operator()(i64 c) const {
    if (dw) dw[c] = static_cast<float>(dstats[channels + c]);
    if (db) db[c] = static_cast<float>(dstats[c]);
  }
};

}  // namespace nw::cuda
