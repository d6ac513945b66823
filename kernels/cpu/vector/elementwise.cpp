// SPDX-License-Identifier: Apache-2.0
// Activations and their derivatives over contiguous floats; outputs may lie where inputs lie.
#include "kernels/cpu/vector/rounding.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

constexpr float inverse_sqrt_2pi = 0.398942280f, gelu_scale = 0.797884561f, gelu_cubic = 0.044715f;

template <class F>
NW_INLINE void map(const float* x, float* y, i64 count, F f) {
  for (i64 i = 0; i < count; i += width) store(y + i, f(load(x + i)));
}
template <class F>
NW_INLINE void map(const float* dy, const float* v, float* dx, i64 count, F f) {
  for (i64 i = 0; i < count; i += width) store(dx + i, f(load(dy + i), load(v + i)));
}

NW_INLINE Vec rounded_to_bf16(Vec v) { return reinterpret_cast<Vec>(rounded_words(v)); }

NW_INLINE Vec gelu_inner(Vec x) { return gelu_scale * (x + gelu_cubic * x * x * x); }

}  // namespace

void unary(Unary op, const float* x, float* y, i64 count, float parameter) {
  switch (op) {
    case Unary::relu:
      return map(x, y, count, [](Vec v) { return v <= 0.0f ? Vec{} : v; });
    case Unary::leaky_relu:
      return map(x, y, count, [=](Vec v) { return v > 0.0f ? v : parameter * v; });
    case Unary::sigmoid:
      return map(x, y, count, [](Vec v) { return sigmoid(v); });
    case Unary::tanh:
      return map(x, y, count, [](Vec v) { return hyperbolic_tangent(v); });
    case Unary::silu:
      return map(x, y, count, [](Vec v) { return v * sigmoid(v); });
    case Unary::elu:
      return map(x, y, count, [=](Vec v) { return v > 0.0f ? v : parameter * exponential_minus_one(v); });
    case Unary::hardswish:
      return map(x, y, count, [](Vec v) { return v * minimum(maximum(v + 3.0f, Vec{}), all(6.0f)) * (1.0f / 6); });
    case Unary::round_bf16:
      return map(x, y, count, [](Vec v) { return rounded_to_bf16(v); });
    case Unary::gelu:
      return map(x, y, count, [](Vec v) {
        Vec e;
        return v * normal_cdf(v, e);
      });
    case Unary::gelu_tanh:
      return map(x, y, count, [](Vec v) { return 0.5f * v * (1.0f + hyperbolic_tangent(gelu_inner(v))); });
  }
}

void unary_gradient(Unary op, const float* dy, const float* v, float* dx, i64 count, float parameter) {
  switch (op) {
    case Unary::relu:
      return map(dy, v, dx, count, [](Vec d, Vec y) { return y <= 0.0f ? Vec{} : d; });
    case Unary::leaky_relu:
      return map(dy, v, dx, count, [=](Vec d, Vec x) { return x > 0.0f ? d : parameter * d; });
    case Unary::sigmoid:
      return map(dy, v, dx, count, [](Vec d, Vec y) { return d * y * (1.0f - y); });
    case Unary::tanh:
      return map(dy, v, dx, count, [](Vec d, Vec y) { return d * (1.0f - y * y); });
    case Unary::silu:
      return map(dy, v, dx, count, [](Vec d, Vec x) {
        const Vec s = sigmoid(x);
        return d * s * (1.0f + x * (1.0f - s));
      });
    case Unary::elu:
      return map(dy, v, dx, count, [=](Vec d, Vec x) { return x > 0.0f ? d : d * parameter * exponential(x); });
    case Unary::hardswish:
      return map(dy, v, dx, count, [](Vec d, Vec x) {
        return x <= -3.0f ? Vec{} : x >= 3.0f ? d : d * (2.0f * x + 3.0f) * (1.0f / 6);
      });
    case Unary::round_bf16:
      return;  // has no gradient of its own: dy is rounded as any operand is
    case Unary::gelu:
      return map(dy, v, dx, count, [](Vec d, Vec x) {
        Vec e;
        const Vec cdf = normal_cdf(x, e);
        return d * (cdf + x * e * inverse_sqrt_2pi);
      });
    case Unary::gelu_tanh:
      return map(dy, v, dx, count, [](Vec d, Vec x) {
        const Vec t = hyperbolic_tangent(gelu_inner(x));
        return d * (0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * gelu_scale * (1.0f + 3.0f * gelu_cubic * x * x));
      });
  }
}

void add(const float* a, const float* b, float* y, i64 count) {
  map(a, b, y, count, [](Vec u, Vec v) { return u + v; });
}
void add_relu(const float* a, const float* b, float* y, i64 count) {
  map(a, b, y, count, [](Vec u, Vec v) { return u + v <= 0.0f ? Vec{} : u + v; });
}

}  // namespace nw::cpu::NW_ISA
