// SPDX-License-Identifier: Apache-2.0
// Elementary functions for each type that a formula is computed with: float (CUDA) and double (reference) here, vectors
// of floats in kernels/cpu/vector/functions.hpp.
#pragma once
#include <cmath>

#include "kernels/math/philox.hpp"

/// Every function of a formula is inlined and has no symbol, so that code compiled for one processor is never linked
/// into code for another.
#define NW_FORMULA NW_HOST_DEVICE inline __attribute__((always_inline))

namespace nw::math {

/// The functions of T. Scalar: T itself, or an element of the vector T.
template <class T>
struct Functions;

template <>
struct Functions<float> {
  using Scalar = float;
  NW_FORMULA static float broadcast(float s) { return s; }
  NW_FORMULA static float minimum(float a, float b) { return a < b ? a : b; }
  NW_FORMULA static float maximum(float a, float b) { return a > b ? a : b; }
  NW_FORMULA static float absolute(float x) { return fabsf(x); }
  NW_FORMULA static float exponential(float x) { return expf(x); }
  NW_FORMULA static float exponential_minus_one(float x) { return expm1f(x); }
  NW_FORMULA static float logarithm_of_one_plus(float x) { return log1pf(x); }
  NW_FORMULA static float hyperbolic_tangent(float x) { return tanhf(x); }
  NW_FORMULA static float quotient(float x, float d) { return x / d; }
  NW_FORMULA static float normal_cdf(float x, float& e) {
    e = expf(-0.5f * x * x);
    return 0.5f * (1.0f + erff(x * 0.70710678118654752f));
  }
  NW_FORMULA static float logarithm(float x) { return logf(x); }
  NW_FORMULA static float square_root(float x) { return sqrtf(x); }
  NW_FORMULA static float sine(float x) { return sinf(x); }
  NW_FORMULA static float cosine(float x) { return cosf(x); }
  NW_FORMULA static float error_function(float x) { return erff(x); }
};

template <>
struct Functions<double> {
  using Scalar = double;
  NW_FORMULA static double broadcast(double s) { return s; }
  NW_FORMULA static double minimum(double a, double b) { return a < b ? a : b; }
  NW_FORMULA static double maximum(double a, double b) { return a > b ? a : b; }
  NW_FORMULA static double absolute(double x) { return fabs(x); }
  NW_FORMULA static double exponential(double x) { return exp(x); }
  NW_FORMULA static double exponential_minus_one(double x) { return expm1(x); }
  NW_FORMULA static double logarithm_of_one_plus(double x) { return log1p(x); }
  NW_FORMULA static double hyperbolic_tangent(double x) { return tanh(x); }
  NW_FORMULA static double quotient(double x, double d) { return x / d; }
  NW_FORMULA static double normal_cdf(double x, double& e) {
    e = exp(-0.5 * x * x);
    return 0.5 * (1.0 + erf(x * 0.70710678118654752440));
  }
  NW_FORMULA static double logarithm(double x) { return log(x); }
  NW_FORMULA static double square_root(double x) { return sqrt(x); }
  NW_FORMULA static double sine(double x) { return sin(x); }
  NW_FORMULA static double cosine(double x) { return cos(x); }
  NW_FORMULA static double error_function(double x) { return erf(x); }
};

template <class T>
using Scalar = typename Functions<T>::Scalar;

template <class T>
NW_FORMULA T broadcast(Scalar<T> s) {
  return Functions<T>::broadcast(s);
}
/// a where the condition holds, else b. Both are computed.
template <class Condition, class T>
NW_FORMULA T select(Condition condition, T a, T b) {
  return condition ? a : b;
}
/// b if one of them is NaN; the same holds for maximum().
template <class T>
NW_FORMULA T minimum(T a, T b) {
  return Functions<T>::minimum(a, b);
}
template <class T>
NW_FORMULA T maximum(T a, T b) {
  return Functions<T>::maximum(a, b);
}
template <class T>
NW_FORMULA T absolute(T x) {
  return Functions<T>::absolute(x);
}
template <class T>
NW_FORMULA T exponential(T x) {
  return Functions<T>::exponential(x);
}
/// e^x - 1, accurate near 0.
template <class T>
NW_FORMULA T exponential_minus_one(T x) {
  return Functions<T>::exponential_minus_one(x);
}
/// log(1 + x) for 0 <= x <= 1, accurate near 0.
template <class T>
NW_FORMULA T logarithm_of_one_plus(T x) {
  return Functions<T>::logarithm_of_one_plus(x);
}
template <class T>
NW_FORMULA T hyperbolic_tangent(T x) {
  return Functions<T>::hyperbolic_tangent(x);
}
template <class T>
NW_FORMULA T sigmoid(T x) {
  return Scalar<T>(1) / (Scalar<T>(1) + exponential(-x));
}
/// x / d for a constant d; vectors are multiplied by 1 / d instead.
template <class T>
NW_FORMULA T quotient(T x, Scalar<T> d) {
  return Functions<T>::quotient(x, d);
}
/// The distribution function of the standard normal distribution; e becomes exp(-x^2 / 2).
template <class T>
NW_FORMULA T normal_cdf(T x, T& e) {
  return Functions<T>::normal_cdf(x, e);
}
/// The natural logarithm; of 0 minus infinity, of what is less NaN.
template <class T>
NW_FORMULA T logarithm(T x) {
  return Functions<T>::logarithm(x);
}
template <class T>
NW_FORMULA T square_root(T x) {
  return Functions<T>::square_root(x);
}
/// Vectors lose accuracy where |x| > 8000; cosine() too.
template <class T>
NW_FORMULA T sine(T x) {
  return Functions<T>::sine(x);
}
template <class T>
NW_FORMULA T cosine(T x) {
  return Functions<T>::cosine(x);
}
/// 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x.
template <class T>
NW_FORMULA T error_function(T x) {
  return Functions<T>::error_function(x);
}

}  // namespace nw::math
