// SPDX-License-Identifier: Apache-2.0
// The element kernels: one formula each, computed on every backend, and one row each in the list at the end. The
// catalogue, the kernels "name" and "name_grad" of every backend and their tests are generated from the list.
// docs/adding.md describes how to add one.
#pragma once
#include <cstdint>

#include "kernels/math/functions.hpp"

namespace nw::math {

/// A parameter of a kernel, from its step's attributes.
struct Parameter {
  const char* name = nullptr;  // PyTorch's; null: the kernel has no such parameter
  double otherwise = 0;        // where the step does not have the attribute
  double low = 0, high = 0;    // range of the values in tests
};

enum class Operand : std::uint8_t { x, y };

/// The properties of a formula besides its arithmetic.
struct ElementInfo {
  Operand gradient_reads = Operand::x;  // the forward kernel's input or its output
  Parameter parameters[2] = {};
  const char* what = "";           // description of the forward kernel, for the catalogue
  const char* gradient_what = "";  // of the gradient
};

// A formula is a struct with `info` and two functions: value(x, parameters…), and gradient(dy, v, parameters…), which
// is dy times the derivative; v is x or y, as given by info.gradient_reads. T is float, double or a vector of floats:
// Scalar<T> converts constants, select() replaces conditions. The result for NaN must be NaN.

struct Relu {
  static constexpr ElementInfo info{.gradient_reads = Operand::y, .gradient_what = "0 where y <= 0"};
  template <class T>
  NW_FORMULA static T value(T x) {
    return select(x <= Scalar<T>(0), T{}, x);
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T y) {
    return select(y <= Scalar<T>(0), T{}, dy);
  }
};

struct LeakyRelu {
  static constexpr ElementInfo info{.parameters = {{"negative_slope", 0.01, 0.05, 0.5}}};
  template <class T>
  NW_FORMULA static T value(T x, Scalar<T> slope) {
    return select(x > Scalar<T>(0), x, slope * x);
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T x, Scalar<T> slope) {
    return select(x > Scalar<T>(0), dy, slope * dy);
  }
};

struct Sigmoid {
  static constexpr ElementInfo info{.gradient_reads = Operand::y};
  template <class T>
  NW_FORMULA static T value(T x) {
    return sigmoid(x);
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T y) {
    return dy * y * (Scalar<T>(1) - y);
  }
};

struct Tanh {
  static constexpr ElementInfo info{.gradient_reads = Operand::y};
  template <class T>
  NW_FORMULA static T value(T x) {
    return hyperbolic_tangent(x);
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T y) {
    return dy * (Scalar<T>(1) - y * y);
  }
};

// Hendrycks and Gimpel, "Gaussian error linear units", 2016: x times the normal distribution function, and the tanh
// form of the same paper.
struct Gelu {
  static constexpr ElementInfo info{};
  template <class T>
  NW_FORMULA static T value(T x) {
    T e;
    return x * normal_cdf(x, e);
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T x) {
    constexpr auto inverse_sqrt_2pi = Scalar<T>(0.39894228040143267794);
    T e;
    const T cdf = normal_cdf(x, e);
    return dy * (cdf + x * e * inverse_sqrt_2pi);
  }
};

struct GeluTanh {
  static constexpr ElementInfo info{.what = "GELU by its approximation with tanh"};
  template <class T>
  NW_FORMULA static T inner(T x) {
    return Scalar<T>(0.79788456080286535588) * (x + Scalar<T>(0.044715) * x * x * x);
  }
  template <class T>
  NW_FORMULA static T value(T x) {
    return Scalar<T>(0.5) * x * (Scalar<T>(1) + hyperbolic_tangent(inner(x)));
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T x) {
    using S = Scalar<T>;
    const T t = hyperbolic_tangent(inner(x));
    return dy * (S(0.5) * (S(1) + t) +
                 S(0.5) * x * (S(1) - t * t) * S(0.79788456080286535588) * (S(1) + S(3) * S(0.044715) * x * x));
  }
};

struct Silu {
  static constexpr ElementInfo info{};
  template <class T>
  NW_FORMULA static T value(T x) {
    return x * sigmoid(x);
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T x) {
    const T s = sigmoid(x);
    return dy * s * (Scalar<T>(1) + x * (Scalar<T>(1) - s));
  }
};

// Clevert, Unterthiner and Hochreiter, "Fast and accurate deep network learning by exponential linear units", 2016.
struct Elu {
  static constexpr ElementInfo info{.parameters = {{"alpha", 1, 0.3, 2}}};
  template <class T>
  NW_FORMULA static T value(T x, Scalar<T> alpha) {
    return select(x > Scalar<T>(0), x, alpha * exponential_minus_one(x));
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T x, Scalar<T> alpha) {
    return select(x > Scalar<T>(0), dy, dy * alpha * exponential(x));
  }
};

// Klambauer et al., "Self-normalizing neural networks", 2017; the digits are PyTorch's.
struct Selu {
  static constexpr ElementInfo info{};
  static constexpr double alpha = 1.6732632423543772848170429916717, scale = 1.0507009873554804934193349852946;
  template <class T>
  NW_FORMULA static T value(T x) {
    return select(x > Scalar<T>(0), Scalar<T>(scale) * x, Scalar<T>(scale * alpha) * exponential_minus_one(x));
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T x) {
    return select(x > Scalar<T>(0), Scalar<T>(scale) * dy, dy * Scalar<T>(scale * alpha) * exponential(x));
  }
};

struct Relu6 {
  static constexpr ElementInfo info{.gradient_reads = Operand::y, .gradient_what = "0 where y <= 0 or y >= 6"};
  template <class T>
  NW_FORMULA static T value(T x) {
    return select(x <= Scalar<T>(0), T{}, select(x >= Scalar<T>(6), broadcast<T>(6), x));
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T y) {
    return select(y <= Scalar<T>(0), T{}, select(y >= Scalar<T>(6), T{}, dy));
  }
};

struct Hardtanh {
  static constexpr ElementInfo info{.parameters = {{"min_val", -1, -2, -0.5}, {"max_val", 1, 0.3, 2}},
                                    .what = "x, limited to min_val and max_val",
                                    .gradient_what = "0 where x <= min_val or x >= max_val"};
  template <class T>
  NW_FORMULA static T value(T x, Scalar<T> low, Scalar<T> high) {
    return select(x <= low, broadcast<T>(low), select(x >= high, broadcast<T>(high), x));
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T x, Scalar<T> low, Scalar<T> high) {
    return select(x <= low, T{}, select(x >= high, T{}, dy));
  }
};

// Howard et al., "Searching for MobileNetV3", 2019.
struct Hardswish {
  static constexpr ElementInfo info{.gradient_what = "0 at -3, dy at 3"};
  template <class T>
  NW_FORMULA static T value(T x) {
    return quotient(x * minimum(maximum(x + Scalar<T>(3), T{}), broadcast<T>(6)), Scalar<T>(6));
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T x) {
    using S = Scalar<T>;
    return select(x <= S(-3), T{}, select(x >= S(3), dy, quotient(dy * (S(2) * x + S(3)), S(6))));
  }
};

struct Hardsigmoid {
  static constexpr ElementInfo info{.what = "relu6(x + 3) / 6", .gradient_what = "0 at -3 and at 3"};
  template <class T>
  NW_FORMULA static T value(T x) {
    using S = Scalar<T>;
    return select(x <= S(-3), T{}, select(x >= S(3), broadcast<T>(1), quotient(x + S(3), S(6))));
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T x) {
    using S = Scalar<T>;
    return select(x <= S(-3), T{}, select(x >= S(3), T{}, quotient(dy, S(6))));
  }
};

// log(1 + e^z) / beta with z = beta x, without overflow: max(z, 0) + log(1 + e^-|z|).
struct Softplus {
  static constexpr ElementInfo info{.parameters = {{"beta", 1, 0.5, 2}, {"threshold", 20, 3, 8}},
                                    .what = "x where beta x > threshold, log(1 + exp(beta x)) / beta elsewhere"};
  template <class T>
  NW_FORMULA static T value(T x, Scalar<T> beta, Scalar<T> threshold) {
    const T z = beta * x;
    const T sum = maximum(z, T{}) + logarithm_of_one_plus(exponential(-absolute(z)));
    return select(z > threshold, x, sum / beta);
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T x, Scalar<T> beta, Scalar<T> threshold) {
    const T z = beta * x;
    return select(z > threshold, dy, dy * sigmoid(z));
  }
};

// Misra, "Mish: a self regularized non-monotonic activation function", 2019: x tanh(softplus(x)). With n = e^x the
// hyperbolic tangent is w / (w + 2), w = n (n + 2); from x = 20 on it is 1 in every precision.
struct Mish {
  static constexpr ElementInfo info{.what = "x tanh(log(1 + exp(x)))"};
  template <class T>
  NW_FORMULA static T bounded_exponential(T x) {
    return exponential(select(x > Scalar<T>(20), broadcast<T>(20), x));
  }
  template <class T>
  NW_FORMULA static T value(T x) {
    const T n = bounded_exponential(x), w = n * (n + Scalar<T>(2));
    return x * (w / (w + Scalar<T>(2)));
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T x) {
    using S = Scalar<T>;
    const T n = bounded_exponential(x), w = n * (n + S(2)), v = w + S(2);
    const T t = w / v, s = n / (n + S(1));
    return dy * (t + x * s * (S(4) * (w + S(1)) / (v * v)));
  }
};

/// One row for each element kernel: its name and its formula. E(name, Formula, …) is expanded for each.
#define NW_ELEMENT_KERNELS(E, ...)         \
  E(relu, Relu, __VA_ARGS__)               \
  E(leaky_relu, LeakyRelu, __VA_ARGS__)    \
  E(sigmoid, Sigmoid, __VA_ARGS__)         \
  E(tanh, Tanh, __VA_ARGS__)               \
  E(gelu, Gelu, __VA_ARGS__)               \
  E(gelu_tanh, GeluTanh, __VA_ARGS__)      \
  E(silu, Silu, __VA_ARGS__)               \
  E(elu, Elu, __VA_ARGS__)                 \
  E(selu, Selu, __VA_ARGS__)               \
  E(relu6, Relu6, __VA_ARGS__)             \
  E(hardtanh, Hardtanh, __VA_ARGS__)       \
  E(hardswish, Hardswish, __VA_ARGS__)     \
  E(hardsigmoid, Hardsigmoid, __VA_ARGS__) \
  E(softplus, Softplus, __VA_ARGS__)       \
  E(mish, Mish, __VA_ARGS__)

}  // namespace nw::math
