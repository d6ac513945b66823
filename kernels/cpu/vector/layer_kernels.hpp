// SPDX-License-Identifier: Apache-2.0
// Inner loops of the layers that work within one sample: norms, resampling, products. Part of VectorKernels; the same
// rules apply.
#pragma once
#include <cstdint>

#include "kernels/math/program.hpp"

namespace nw::cpu {

/// A run of `weights` x `pixels` lanes vectors of one shard that is normalized together: weight i belongs to the
/// vectors from i * pixels on.
struct NormGroup {
  const float* x;
  std::int64_t weights, pixels;
  const float *mean, *invstd;  // 16 lanes each
  const float *w, *b;          // [weights], both null: 1 and 0
};

/// One shard of an image whose channels are normalized at each pixel; w and b are null: 1 and 0.
struct ChannelNorm {
  const float* x;
  std::int64_t channels, pixels;
  const float *w, *b;  // [channels]
};

/// Rows (or columns) of an image of another size: output o is first[o] * low[o] + second[o] * (1 - low[o]).
struct Blend {
  const std::int32_t *first, *second;
  const float* low;
};
struct Resize {
  std::int64_t channels, in_h, in_w, out_h, out_w;
  Blend rows, columns;
};

/// Output o is the mean of rows [row[2 o], row[2 o + 1]), columns alike.
struct Windows {
  std::int64_t channels, in_h, in_w, out_h, out_w;
  const std::int32_t *row, *column;
};

/// A program over `count` floats, a multiple of 16. y may be one of the inputs.
struct FormulaArgs {
  const math::Program* program;
  const float* constants;  // 16 lanes each
  const float* x[math::Program::most_inputs];
  float* y;
  std::int64_t count;
};

struct LayerKernels {
  /// Mean and 1 / sqrt(variance + eps) of each lane over `count` vectors.
  void (*group_stats)(const float* x, std::int64_t count, double eps, float* mean, float* invstd);
  /// y = (x - mean) * invstd * w + b
  void (*group_apply)(const NormGroup&, float* y);
  /// dx = invstd * (dy w - mean of dy w - xhat * mean of dy w xhat)
  void (*group_gradient)(const NormGroup&, const float* dy, float* dx);
  /// dw[i] = sum of dy xhat over pixels and the first `lanes` lanes, db[i] = sum of dy (db may be null).
  void (*group_weight_gradient)(const NormGroup&, const float* dy, std::int64_t lanes, float* dw, float* db);
  /// Mean and 1 / sqrt(variance + eps) of each pixel, [pixels][16] each, and y = (x - mean) * invstd * w + b
  void (*channel_norm)(const ChannelNorm&, double eps, float* mean, float* invstd, float* y);
  void (*channel_norm_gradient)(const ChannelNorm&, const float* mean, const float* invstd, const float* dy, float* dx);
  /// dw[c] = sum of dy xhat over pixels and the first `lanes` lanes, db[c] = sum of dy.
  void (*channel_norm_weight_gradient)(const ChannelNorm&, const float* mean, const float* invstd, const float* dy,
                                       std::int64_t lanes, float* dw, float* db);
  /// Sum of dy x where x is not above 0, over `pixels` vectors and the first `lanes` lanes.
  double (*slope_gradient)(const float* dy, const float* x, std::int64_t pixels, std::int64_t lanes);
  /// y = a b; where b_pixels is 1, b holds one vector for all `pixels` of a channel. y may be a.
  void (*multiply)(const float* a, const float* b, float* y, std::int64_t channels, std::int64_t pixels,
                   std::int64_t b_pixels);
  void (*resize)(const Resize&, const float* x, float* y);
  void (*resize_gradient)(const Resize&, const float* dy, float* dx);
  void (*window_mean)(const Windows&, const float* x, float* y);
  void (*window_mean_gradient)(const Windows&, const float* dy, float* dx);
  void (*formula)(const FormulaArgs&);
};

}  // namespace nw::cpu
