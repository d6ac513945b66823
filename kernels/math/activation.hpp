// SPDX-License-Identifier: Apache-2.0
// Activation functions and their derivatives for one number, in the number's own precision; the same text on every
// device.
#pragma once
#include <math.h>

#include "kernels/math/philox.hpp"

namespace nw::math {

NW_HOST_DEVICE inline float relu(float x) { return x < 0 ? 0.0f : x; }  // NaN stays NaN
NW_HOST_DEVICE inline float relu_grad(float dy, float y) { return y <= 0 ? 0.0f : dy; }
NW_HOST_DEVICE inline float leaky_relu(float x, float slope) { return x > 0 ? x : slope * x; }
NW_HOST_DEVICE inline float leaky_relu_grad(float dy, float x, float slope) { return x > 0 ? dy : slope * dy; }
NW_HOST_DEVICE inline float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }
NW_HOST_DEVICE inline float sigmoid_grad(float dy, float y) { return dy * y * (1.0f - y); }
NW_HOST_DEVICE inline float tanh_value(float x) { return tanhf(x); }
NW_HOST_DEVICE inline float tanh_grad(float dy, float y) { return dy * (1.0f - y * y); }
NW_HOST_DEVICE inline float silu(float x) { return x * sigmoid(x); }
NW_HOST_DEVICE inline float silu_grad(float dy, float x) {
  const float s = sigmoid(x);
  return dy * s * (1.0f + x * (1.0f - s));
}

// Clevert, Unterthiner and Hochreiter, "Fast and accurate deep network learning by exponential linear units", 2016.
NW_HOST_DEVICE inline float elu(float x, float alpha) { return x > 0 ? x : alpha * expm1f(x); }
NW_HOST_DEVICE inline float elu_grad(float dy, float x, float alpha) { return x > 0 ? dy : dy * alpha * expf(x); }
// Howard et al., "Searching for MobileNetV3", 2019.
NW_HOST_DEVICE inline float hardswish(float x) { return x * (x <= -3 ? 0.0f : x >= 3 ? 6.0f : x + 3) / 6; }
NW_HOST_DEVICE inline float hardswish_grad(float dy, float x) {
  return x <= -3 ? 0.0f : x >= 3 ? dy : dy * (2 * x + 3) / 6;
}

// Hendrycks and Gimpel, "Gaussian error linear units", 2016: x * Phi(x), and the tanh form of the same paper.
inline constexpr float sqrt_half = 0.70710678118654752f, inv_sqrt_2pi = 0.39894228040143268f;
inline constexpr float gelu_scale = 0.79788456080286536f, gelu_cubic = 0.044715f;
NW_HOST_DEVICE inline float gelu(float x) { return 0.5f * x * (1.0f + erff(x * sqrt_half)); }
NW_HOST_DEVICE inline float gelu_grad(float dy, float x) {
  return dy * (0.5f * (1.0f + erff(x * sqrt_half)) + x * expf(-0.5f * x * x) * inv_sqrt_2pi);
}
NW_HOST_DEVICE inline float gelu_tanh(float x) {
  return 0.5f * x * (1.0f + tanhf(gelu_scale * (x + gelu_cubic * x * x * x)));
}
NW_HOST_DEVICE inline float gelu_tanh_grad(float dy, float x) {
  const float t = tanhf(gelu_scale * (x + gelu_cubic * x * x * x));
  return dy * (0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * gelu_scale * (1.0f + 3.0f * gelu_cubic * x * x));
}

}  // namespace nw::math
