// SPDX-License-Identifier: Apache-2.0
// Batch normalisation in parts (Ioffe and Szegedy, 2015). Statistics are sums in double, {first[C], second[C]}.
#pragma once
#include <math.h>

#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

/// Where slices of rows (samples times pixels) lie. parts is (slice, 2, channel); SumParts adds the slices.
struct RowSums {
  i64 rows, channels, rows_per_sample;
  double* parts;
  i64 slices;
  const StepBlock* block;
  NW_HOST_DEVICE Range range(i64 index) const {
    const Range r = slice_of(rows, slices, index / channels);
    return {r.begin, smaller(r.end, block->valid * rows_per_sample)};
  }
  NW_HOST_DEVICE void store(i64 index, double first, double second) const {
    double* to = parts + index / channels * 2 * channels + index % channels;
    to[0] = first;
    to[channels] = second;
  }
};

/// Index: (slice, channel). {sum x, sum x^2}
struct BatchNormStats {
  RowSums sums;
  const float* x;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const Range r = sums.range(index);
    const float* from = x + index % sums.channels;
    double first = 0, second = 0;
    for (i64 row = r.begin; row < r.end; ++row) {
      const double v = from[row * sums.channels];
      first += v;
      second += v * v;
    }
    sums.store(index, first, second);
  }
};

/// Index: (slice, channel). {sum dy, sum dy * xhat}
struct BatchNormGradStats {
  RowSums sums;
  const float *dy, *x, *mean_invstd;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const Range r = sums.range(index);
    const i64 c = index % sums.channels;
    const double mean = mean_invstd[c];
    double first = 0, second = 0;
    for (i64 row = r.begin; row < r.end; ++row) {
      const double d = dy[row * sums.channels + c];
      first += d;
      second += d * (x[row * sums.channels + c] - mean);
    }
    sums.store(index, first, second * mean_invstd[sums.channels + c]);
  }
};

/// Index: a channel. Running statistics stay as they are where the batch's are not finite.
struct BatchNormFinalize {
  const double* stats;
  float *running_mean, *running_var;
  i64* tracked;
  float* mean_invstd;
  i64 channels;
  double momentum, eps, spatial;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 c) const {
    const double count = static_cast<double>(block->global_valid) * spatial, mean = stats[c] / count;
    double var = stats[channels + c] / count - mean * mean;
    if (var < 0) var = 0;
    mean_invstd[c] = static_cast<float>(mean);
    mean_invstd[channels + c] = static_cast<float>(1 / sqrt(var + eps));
    if (c == 0 && tracked) ++*tracked;
    if (!isfinite(mean) || !isfinite(stats[channels + c])) return;
    const double unbiased = count > 1 ? var * count / (count - 1) : var;
    running_mean[c] = static_cast<float>((1 - momentum) * running_mean[c] + momentum * mean);
    running_var[c] = static_cast<float>((1 - momentum) * running_var[c] + momentum * unbiased);
  }
};

/// Index: an element of y.
struct BatchNormApply {
  const float *x, *mean_invstd, *weight, *bias;
  float* y;
  i64 channels;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 c = i % channels;
    y[i] = (x[i] - mean_invstd[c]) * mean_invstd[channels + c] * weight[c] + bias[c];
  }
};
/// Index: an element of y.
struct BatchNormInference {
  const float *x, *mean, *var, *weight, *bias;
  float* y;
  i64 channels;
  float eps;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 c = i % channels;
    y[i] = (x[i] - mean[c]) * (1 / sqrtf(var[c] + eps)) * weight[c] + bias[c];
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

/// Index: an element of dx; zero in padding samples, where the mean would otherwise leave something.
struct BatchNormGradInput {
  const float *dy, *x, *mean_invstd, *weight;
  const double* dstats;
  float* dx;
  i64 channels, per_sample;
  double spatial;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 c = i % channels;
    const double count = static_cast<double>(block->global_valid) * spatial, invstd = mean_invstd[channels + c];
    const double xhat = (static_cast<double>(x[i]) - mean_invstd[c]) * invstd;
    const double d = weight[c] * invstd * (dy[i] - dstats[c] / count - xhat * dstats[channels + c] / count);
    dx[i] = i / per_sample < block->valid ? static_cast<float>(d) : 0.0f;
  }
};

}  // namespace nw::cuda
