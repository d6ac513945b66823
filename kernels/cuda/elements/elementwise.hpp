// SPDX-License-Identifier: Apache-2.0
// One number out for one number in: activations, their gradients, sums, dropout.
#pragma once
#include "kernels/cuda/elements/common.hpp"
#include "kernels/math/activation.hpp"
#include "kernels/math/bfloat16.hpp"

namespace nw::cuda {

/// y[i] = f(x[i])
template <float (*f)(float)>
struct Map {
  const float* x;
  float* y;
  NW_HOST_DEVICE void operator()(i64 i) const { y[i] = f(x[i]); }
};
/// dx[i] = f(dy[i], v[i]); v is the forward's input or output, as the catalogue says
template <float (*f)(float, float)>
struct MapGrad {
  const float *dy, *v;
  float* dx;
  NW_HOST_DEVICE void operator()(i64 i) const { dx[i] = f(dy[i], v[i]); }
};

struct LeakyRelu {
  const float* x;
  float* y;
  float slope;
  NW_HOST_DEVICE void operator()(i64 i) const { y[i] = math::leaky_relu(x[i], slope); }
};
struct LeakyReluGrad {
  const float *dy, *x;
  float* dx;
  float slope;
  NW_HOST_DEVICE void operator()(i64 i) const { dx[i] = math::leaky_relu_grad(dy[i], x[i], slope); }
};

/// y = x[0] + x[1] + …; more than `most` inputs take several calls, each with the sum so far as its first.
struct Add {
  static constexpr int most = 8;
  const float* x[most];
  int inputs;
  float* y;
  NW_HOST_DEVICE void operator()(i64 i) const {
    float sum = x[0][i];
    for (int k = 1; k < inputs; ++k) sum += x[k][i];
    y[i] = sum;
  }
};

/// Memory is (n, pixel, channel); the random element is counted in (channel, pixel) order.
struct Dropout {
  const float* x;
  float* y;
  i64 channels, pixels;
  float p;
  std::uint32_t key;
  const i64* sample;  // data-set index of each sample
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 per = channels * pixels, n = i / per, inside = i % per;
    const RandomKey random{block->seed, key, static_cast<std::uint32_t>(block->epoch), static_cast<std::uint64_t>(sample[n])};
    const auto element = static_cast<std::uint32_t>(inside % channels * pixels + inside / channels);
    const float scale = p < 1 ? 1 / (1 - p) : 0.0f;
    y[i] = philox_uniform(random, element) >= p ? x[i] * scale : 0.0f;
  }
};

}  // namespace nw::cuda
