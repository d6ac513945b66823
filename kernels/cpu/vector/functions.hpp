// SPDX-License-Identifier: Apache-2.0
// The functions of simd.hpp for the formulas of kernels/math.
#pragma once
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/math/element.hpp"

template <>
struct nw::math::Functions<nw::cpu::NW_ISA::Vec> {
  using Scalar = float;
  using Vec = cpu::NW_ISA::Vec;
  NW_FORMULA static Vec broadcast(float s) { return cpu::NW_ISA::all(s); }
  NW_FORMULA static Vec minimum(Vec a, Vec b) { return cpu::NW_ISA::minimum(a, b); }
  NW_FORMULA static Vec maximum(Vec a, Vec b) { return cpu::NW_ISA::maximum(a, b); }
  NW_FORMULA static Vec absolute(Vec x) { return cpu::NW_ISA::absolute(x); }
  NW_FORMULA static Vec exponential(Vec x) { return cpu::NW_ISA::exponential(x); }
  NW_FORMULA static Vec exponential_minus_one(Vec x) { return cpu::NW_ISA::exponential_minus_one(x); }
  /// 2 artanh(x / (2 + x)) by its series, which has reached 1e-9 after eight terms.
  NW_FORMULA static Vec logarithm_of_one_plus(Vec x) {
    const Vec s = x / (2.0f + x), q = s * s;
    const Vec tail =
        ((((((1.0f / 15 * q + 1.0f / 13) * q + 1.0f / 11) * q + 1.0f / 9) * q + 1.0f / 7) * q + 0.2f) * q + 1.0f / 3) *
        q;
    return 2.0f * s * tail + 2.0f * s;
  }
  NW_FORMULA static Vec hyperbolic_tangent(Vec x) { return cpu::NW_ISA::hyperbolic_tangent(x); }
  NW_FORMULA static Vec quotient(Vec x, float d) { return x * (1.0f / d); }
  NW_FORMULA static Vec normal_cdf(Vec x, Vec& e) { return cpu::NW_ISA::normal_cdf(x, e); }
  NW_FORMULA static Vec logarithm(Vec x) { return cpu::NW_ISA::logarithm(x); }
  NW_FORMULA static Vec square_root(Vec x) { return cpu::NW_ISA::square_root(x); }
  NW_FORMULA static Vec sine(Vec x) { return cpu::NW_ISA::sine_of_quarters(x, 0); }
  NW_FORMULA static Vec cosine(Vec x) { return cpu::NW_ISA::sine_of_quarters(x, 1); }
  NW_FORMULA static Vec error_function(Vec x) { return cpu::NW_ISA::error_function(x); }
};
