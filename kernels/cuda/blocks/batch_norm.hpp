// SPDX-License-Identifier: Apache-2.0
// What batch normalization and biases need of every row of an image: terms for SumRows and results for EachRow. T is
// the type in which images are stored, W the number of adjacent channels of a thread.
#pragma once
#include "kernels/cuda/blocks/rows.hpp"
#include "kernels/cuda/elements/batch_norm.hpp"

namespace nw::cuda {

/// Rows whose terms are added in float: squares of 16-bit numbers lose nothing that matters in sums of four, those of
/// floats would.
template <class T>
inline constexpr int rows_in_float = sizeof(T) == 2 ? 4 : 1;

/// {sum x}
template <class T, int W>
struct SumOfChannel {
  static constexpr int sums = 1, width = W, run = rows_in_float<T>;
  const T* x;
  struct State {};
  using Loaded = Pack<T, W>;
  NW_HOST_DEVICE State begin(int) const { return {}; }
  NW_HOST_DEVICE Loaded load(i64 at) const { return read_pack<W>(x + at); }
  NW_HOST_DEVICE void add(const State&, const Loaded& row, float* to) const {
    for (int v = 0; v < W; ++v) to[v] += static_cast<float>(row.at[v]);
  }
  NW_HOST_DEVICE double finish(int, i64, double sum) const { return sum; }
};

/// {sum x, sum x^2}
template <class T, int W>
struct NormSums {
  static constexpr int sums = 2, width = W, run = rows_in_float<T>;
  const T* x;
  struct State {};
  using Loaded = Pack<T, W>;
  NW_HOST_DEVICE State begin(int) const { return {}; }
  NW_HOST_DEVICE Loaded load(i64 at) const { return read_pack<W>(x + at); }
  NW_HOST_DEVICE void add(const State&, const Loaded& row, float* to) const {
    for (int v = 0; v < W; ++v) {
      const float a = row.at[v];
      to[v] += a;
      to[W + v] += a * a;
    }
  }
  NW_HOST_DEVICE double finish(int, i64, double sum) const { return sum; }
};

/// {sum dy, sum dy * xhat}
template <class T, int W>
struct NormGradSums {
  static constexpr int sums = 2, width = W, run = rows_in_float<T>;
  const T *dy, *x;
  const float* mean_invstd;
  i64 channels;
  struct State {
    float mean[W];
  };
  struct Loaded {
    Pack<T, W> dy, x;
  };
  NW_HOST_DEVICE State begin(int channel) const {
    State s;
    for (int v = 0; v < W; ++v) s.mean[v] = mean_invstd[channel + v];
    return s;
  }
  NW_HOST_DEVICE Loaded load(i64 at) const { return {read_pack<W>(dy + at), read_pack<W>(x + at)}; }
  NW_HOST_DEVICE void add(const State& s, const Loaded& row, float* to) const {
    for (int v = 0; v < W; ++v) {
      const float d = row.dy.at[v];
      to[v] += d;
      to[W + v] += d * (static_cast<float>(row.x.at[v]) - s.mean[v]);
    }
  }
  NW_HOST_DEVICE double finish(int which, i64 channel, double sum) const {
    return which == 0 ? sum : sum * mean_invstd[channels + channel];
  }
};

/// y = (x - mean) * invstd * weight + bias, and the residual, and ReLU.
template <class T, int W>
struct NormApply {
  static constexpr int width = W;
  const T *x, *residual;  // residual: may be null
  const float *mean_invstd, *weight, *bias;
  T* y;
  i64 channels;
  bool relu;
  struct State {
    float mean[W], scale[W], bias[W];
  };
  struct Loaded {
    Pack<T, W> x, residual;
  };
  NW_HOST_DEVICE State begin(int channel) const {
    State s;
    for (int v = 0; v < W; ++v) {
      s.mean[v] = mean_invstd[channel + v];
      s.scale[v] = mean_invstd[channels + channel + v] * weight[channel + v];
      s.bias[v] = bias[channel + v];
    }
    return s;
  }
  NW_HOST_DEVICE Loaded load(i64 at) const {
    Loaded l;
    l.x = read_pack<W>(x + at);
    if (residual) l.residual = read_pack<W>(residual + at);
    return l;
  }
  NW_HOST_DEVICE void store(const State& s, const Loaded& row, i64, i64 at) const {
    Pack<T, W> to;
    for (int v = 0; v < W; ++v) {
      float r = (static_cast<float>(row.x.at[v]) - s.mean[v]) * s.scale[v] + s.bias[v];
      if (residual) r += static_cast<float>(row.residual.at[v]);
      to.at[v] = relu && r < 0 ? 0.0f : r;
    }
    write_pack(y + at, to);
  }
};

/// dx; zero in padding samples, for which the terms with means would not be zero.
template <class T, int W>
struct NormGradInput {
  static constexpr int width = W;
  const T *dy, *x;
  const float *mean_invstd, *weight;
  const double* dstats;
  T* dx;
  i64 channels, rows_per_sample;
  double spatial;
  bool local;
  const StepBlock* step;
  /// dx = scale * dy - shift - slope * (x - mean)
  struct State {
    float mean[W], scale[W], shift[W], slope[W];
    i64 valid;  // rows
  };
  struct Loaded {
    Pack<T, W> dy, x;
  };
  NW_HOST_DEVICE State begin(int channel) const {
    State s;
    const double count = norm_count(*step, local, spatial);
    for (int v = 0; v < W; ++v) {
      const int c = channel + v;
      const double invstd = mean_invstd[channels + c], scale = weight[c] * invstd;
      s.mean[v] = mean_invstd[c];
      s.scale[v] = static_cast<float>(scale);
      s.shift[v] = static_cast<float>(scale * dstats[c] / count);
      s.slope[v] = static_cast<float>(scale * invstd * dstats[channels + c] / count);
    }
    s.valid = step->valid * rows_per_sample;
    return s;
  }
  NW_HOST_DEVICE Loaded load(i64 at) const { return {read_pack<W>(dy + at), read_pack<W>(x + at)}; }
  NW_HOST_DEVICE void store(const State& s, const Loaded& row, i64 index, i64 at) const {
    Pack<T, W> to;
    for (int v = 0; v < W; ++v) {
      const float d = s.scale[v] * static_cast<float>(row.dy.at[v]) - s.shift[v] -
                      s.slope[v] * (static_cast<float>(row.x.at[v]) - s.mean[v]);
      to.at[v] = index < s.valid ? d : 0.0f;
    }
    write_pack(dx + at, to);
  }
};

}  // namespace nw::cuda
