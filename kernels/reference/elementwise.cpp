// SPDX-License-Identifier: Apache-2.0
// Activations and their derivatives, computed in double; sums of values.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/math/bfloat16.hpp"
#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

using Unary = double (*)(double x, double parameter);
using Gradient = double (*)(double dy, double x_or_y, double parameter);  // derivative times dy

template <Unary f>
PreparedKernel unary(KernelContext& c, double parameter = 0) {
  const Image x = in(c, 0), y = out(c, 0);
  return each_sample(c, [x, y, parameter](std::int64_t n) {
    for (std::int64_t e = 0; e < x.per_sample(); ++e) y.sample(n)[e] = static_cast<float>(f(x.sample(n)[e], parameter));
  });
}

template <Gradient f>
PreparedKernel gradient(KernelContext& c, double parameter = 0) {
  const Image dy = in(c, 0), v = in(c, 1), dx = out(c, 0);
  return each_sample(c, [dy, v, dx, parameter](std::int64_t n) {
    for (std::int64_t e = 0; e < dy.per_sample(); ++e)
      dx.sample(n)[e] = static_cast<float>(f(dy.sample(n)[e], v.sample(n)[e], parameter));
  });
}

double relu(double x, double) { return x > 0 || std::isnan(x) ? x : 0; }
double relu_grad(double dy, double y, double) { return y <= 0 ? 0 : dy; }
double leaky(double x, double slope) { return x > 0 ? x : slope * x; }
double leaky_grad(double dy, double x, double slope) { return x > 0 ? dy : slope * dy; }
double sigmoid(double x, double) { return 1 / (1 + std::exp(-x)); }
double sigmoid_grad(double dy, double y, double) { return dy * y * (1 - y); }
double tanh_value(double x, double) { return std::tanh(x); }
double tanh_grad(double dy, double y, double) { return dy * (1 - y * y); }
double silu(double x, double) { return x * sigmoid(x, 0); }
double silu_grad(double dy, double x, double) {
  const double s = sigmoid(x, 0);
  return dy * s * (1 + x * (1 - s));
}
// Clevert, Unterthiner and Hochreiter, 2016.
double elu(double x, double alpha) { return x > 0 ? x : alpha * std::expm1(x); }
double elu_grad(double dy, double x, double alpha) { return x > 0 ? dy : dy * alpha * std::exp(x); }
// Howard et al., "Searching for MobileNetV3", 2019.
double hardswish(double x, double) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; }
double hardswish_grad(double dy, double x, double) { return x <= -3 ? 0 : x >= 3 ? dy : dy * (2 * x + 3) / 6; }
// Hendrycks and Gimpel, "Gaussian error linear units", 2016: x * Phi(x), and the tanh form of the same paper.
double gelu(double x, double) { return 0.5 * x * (1 + std::erf(x * std::numbers::sqrt2 / 2)); }
double gelu_grad(double dy, double x, double) {
  const double phi = std::exp(-0.5 * x * x) * std::numbers::inv_sqrtpi * std::numbers::sqrt2 / 2;
  return dy * (0.5 * (1 + std::erf(x * std::numbers::sqrt2 / 2)) + x * phi);
}
constexpr double gelu_scale = 2 / std::numbers::sqrt2 * std::numbers::inv_sqrtpi, gelu_cubic = 0.044715;
double gelu_tanh(double x, double) { return 0.5 * x * (1 + std::tanh(gelu_scale * (x + gelu_cubic * x * x * x))); }
double gelu_tanh_grad(double dy, double x, double) {
  const double t = std::tanh(gelu_scale * (x + gelu_cubic * x * x * x));
  return dy * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * gelu_scale * (1 + 3 * gelu_cubic * x * x));
}

double slope_of(const KernelContext& c) { return real_attr(c.step.attrs, "negative_slope", 0.01); }
bool approximate_tanh(const KernelContext& c) {
  const auto it = c.step.attrs.find("approximate");
  return it != c.step.attrs.end() && std::get<std::string>(it->second) == "tanh";
}
PreparedKernel leaky_relu(KernelContext& c) { return unary<leaky>(c, slope_of(c)); }
PreparedKernel leaky_relu_grad(KernelContext& c) { return gradient<leaky_grad>(c, slope_of(c)); }
double alpha_of(const KernelContext& c) { return real_attr(c.step.attrs, "alpha", 1); }
PreparedKernel elu_kernel(KernelContext& c) { return unary<elu>(c, alpha_of(c)); }
PreparedKernel elu_grad_kernel(KernelContext& c) { return gradient<elu_grad>(c, alpha_of(c)); }
PreparedKernel gelu_kernel(KernelContext& c) { return approximate_tanh(c) ? unary<gelu_tanh>(c) : unary<gelu>(c); }
PreparedKernel gelu_grad_kernel(KernelContext& c) {
  return approximate_tanh(c) ? gradient<gelu_tanh_grad>(c) : gradient<gelu_grad>(c);
}
template <Unary f>
PreparedKernel plain(KernelContext& c) {
  return unary<f>(c);
}
template <Gradient f>
PreparedKernel plain_grad(KernelContext& c) {
  return gradient<f>(c);
}

PreparedKernel round_bf16(KernelContext& c) {
  const float* x = c.in(0);
  float* y = c.out(0);
  const Value& v = c.in_value(0);
  const std::int64_t count = v.batched ? v.shape.per_sample() : v.shape.elements();
  const auto part = [=](std::int64_t n) {
    for (std::int64_t e = n * count; e < (n + 1) * count; ++e) y[e] = math::round_bf16(x[e]);
  };
  return v.batched ? each_sample(c, part) : whole([=] { part(0); });
}

// y = finish(sum of the inputs from `first` on, element)
template <class F>
PreparedKernel sum_of_inputs(KernelContext& c, int first, F finish) {
  std::vector<Image> terms;
  for (int i = first; i < static_cast<int>(c.step.inputs.size()); ++i) terms.push_back(in(c, i));
  const Image y = out(c, 0);
  return each_sample(c, [terms, y, finish](std::int64_t n) {
    for (std::int64_t e = 0; e < y.per_sample(); ++e) {
      double sum = 0;
      for (const Image& t : terms) sum += t.sample(n)[e];
      y.sample(n)[e] = finish(static_cast<float>(sum), n * y.per_sample() + e);
    }
  });
}
PreparedKernel add(KernelContext& c) {
  return sum_of_inputs(c, 0, [](float sum, std::int64_t) { return sum; });
}
PreparedKernel add_relu(KernelContext& c) {
  return sum_of_inputs(c, 0, [](float sum, std::int64_t) { return rectified(sum); });
}
PreparedKernel add_relu_grad(KernelContext& c) {
  return sum_of_inputs(c, 1, [open = gate(c, 0)](float sum, std::int64_t e) { return open.passes(e) ? sum : 0.0f; });
}

}  // namespace

KernelTable elementwise_kernels() {
  return {{"relu", plain<relu>},
          {"relu_grad", plain_grad<relu_grad>},
          {"leaky_relu", leaky_relu},
          {"leaky_relu_grad", leaky_relu_grad},
          {"sigmoid", plain<sigmoid>},
          {"sigmoid_grad", plain_grad<sigmoid_grad>},
          {"tanh", plain<tanh_value>},
          {"tanh_grad", plain_grad<tanh_grad>},
          {"gelu", gelu_kernel},
          {"gelu_grad", gelu_grad_kernel},
          {"silu", plain<silu>},
          {"silu_grad", plain_grad<silu_grad>},
          {"elu", elu_kernel},
          {"elu_grad", elu_grad_kernel},
          {"hardswish", plain<hardswish>},
          {"hardswish_grad", plain_grad<hardswish_grad>},
          {"round_bf16", round_bf16},
          {"add", add},
          {"add_relu", add_relu},
          {"add_relu_grad", add_relu_grad}};
}

}  // namespace nw::reference
