// SPDX-License-Identifier: Apache-2.0
// Kernels with one number of output for one number of input: activations, their gradients, sums, dropout. T is the type
// of storage; all computation is in float.
#pragma once
#include "kernels/cuda/elements/common.hpp"
#include "kernels/math/element.hpp"
#include "kernels/math/half.hpp"
#include "kernels/math/program.hpp"

namespace nw::cuda {

/// Index: a pack. y = the formula's value at x
template <class Formula, class T>
struct Map {
  const T* x;
  T* y;
  math::Parameters<float> parameters;
  i64 count;
  NW_HOST_DEVICE void operator()(i64 index) const {
    each_in_pack<T>(index, count, [this](auto n, i64 at) {
      Pack<T, n()> v = read_pack<n()>(x + at);
      for (T& e : v.at) e = math::value<Formula, float>(e, parameters);
      write_pack(y + at, v);
    });
  }
};
/// Index: a pack. dx = dy times the formula's derivative; v is the forward's input or output, see
/// ElementInfo::gradient_reads
template <class Formula, class T>
struct MapGrad {
  const T *dy, *v;
  T* dx;
  math::Parameters<float> parameters;
  i64 count;
  NW_HOST_DEVICE void operator()(i64 index) const {
    each_in_pack<T>(index, count, [this](auto n, i64 at) {
      const Pack<T, n()> d = read_pack<n()>(dy + at), of = read_pack<n()>(v + at);
      Pack<T, n()> to;
      NW_UNROLL
      for (int k = 0; k < n(); ++k) to.at[k] = math::gradient<Formula, float>(d.at[k], of.at[k], parameters);
      write_pack(dx + at, to);
    });
  }
};
/// y[i] = the program's result for the inputs' elements i, 0 in samples beyond the valid ones
template <class T>
struct Evaluate {
  const T* x[math::Program::most_inputs];
  T* y;
  i64 per_sample;
  const StepBlock* block;
  math::Program program;
  NW_HOST_DEVICE void operator()(i64 i) const {
    float in[math::Program::most_inputs];
    for (int k = 0; k < program.inputs; ++k) in[k] = x[k][i];
    y[i] = i / per_sample < block->valid ? math::run<float>(program, in) : 0.0f;
  }
};
/// y[i] = x[i], rounded to bfloat16 and stored as float
struct RoundBf16 {
  const float* x;
  float* y;
  NW_HOST_DEVICE void operator()(i64 i) const { y[i] = math::round_bf16(x[i]); }
};

/// y[i] = value
template <class T>
struct Fill {
  T* y;
  float value;
  NW_HOST_DEVICE void operator()(i64 i) const { y[i] = value; }
};
/// y[i] = x[i], converted to T
template <class T>
struct Store {
  const float* x;
  T* y;
  NW_HOST_DEVICE void operator()(i64 i) const { y[i] = x[i]; }
};

/// Index: a pack. y = x[0] + x[1] + …; more than `most` inputs take several calls, each with the sum so far as its
/// first input.
template <class T>
struct Add {
  static constexpr int most = 8;
  const T* x[most];
  int inputs;
  T* y;
  bool relu;      // negative sums become zero
  const T* gate;  // the sum is zero where the gate is not positive; may be null
  i64 count;
  NW_HOST_DEVICE void operator()(i64 index) const {
    each_in_pack<T>(index, count, [this](auto n, i64 at) { add<n()>(at); });
  }

 private:
  template <int N>
  NW_HOST_DEVICE void add(i64 at) const {
    float sum[N] = {};
    NW_UNROLL  // an index that the compiler does not know would copy the pointers to local memory
        for (int k = 0; k < most; ++k) {
      if (k >= inputs) break;
      const Pack<T, N> from = read_pack<N>(x[k] + at);
      for (int e = 0; e < N; ++e)
        sum[e] = k == 0 ? static_cast<float>(from.at[e]) : sum[e] + static_cast<float>(from.at[e]);
    }
    Pack<T, N> to;
    for (int e = 0; e < N; ++e) to.at[e] = relu && sum[e] < 0 ? 0.0f : sum[e];
    if (gate) keep_where_positive(read_pack<N>(gate + at), to);
    write_pack(y + at, to);
  }
  template <int N>
  NW_HOST_DEVICE static void keep_where_positive(const Pack<T, N>& gates, Pack<T, N>& to) {
    for (int e = 0; e < N; ++e)
      if (static_cast<float>(gates.at[e]) <= 0) to.at[e] = 0.0f;
  }
};

/// The memory order is (n, pixel, channel); random elements are numbered in (channel, pixel) order.
template <class T>
struct Dropout {
  const T* x;
  T* y;
  i64 channels, pixels;
  float p;
  std::uint32_t key;
  i64 together;       // adjacent elements, in that order, that one random number decides on
  const i64* sample;  // data-set index of each sample
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 per = channels * pixels, n = i / per, inside = i % per;
    const RandomKey random{block->seed, key, static_cast<std::uint32_t>(block->epoch),
                           static_cast<std::uint64_t>(sample[n])};
    const auto element = static_cast<std::uint32_t>((inside % channels * pixels + inside / channels) / together);
    const float scale = p < 1 ? 1 / (1 - p) : 0.0f;
    y[i] = philox_uniform(random, element) >= p ? static_cast<float>(x[i]) * scale : 0.0f;
  }
};

}  // namespace nw::cuda
