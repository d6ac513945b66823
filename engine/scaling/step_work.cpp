// SPDX-License-Identifier: Apache-2.0
#include "engine/scaling/step_work.hpp"

#include <algorithm>
#include <vector>

#include "kernels/optimizer.hpp"

namespace nw::scaling {
namespace {

const Value* value(const Plan& p, int v) { return v < 0 ? nullptr : &p.values[static_cast<std::size_t>(v)]; }
double elements(const Plan& p, int v) {
  const Value* one = value(p, v);
  return one ? static_cast<double>(one->shape.elements()) : 0;
}
double bytes_of(const Plan& p, int v) {
  const Value* one = value(p, v);
  return one ? static_cast<double>(one->shape.elements()) * static_cast<double>(size_of(one->dtype)) : 0;
}

/// Multiply-adds for each element of the sums' results: the weight's elements for one output channel.
double of_each_output(const Plan& p, int weight) {
  const Value* w = value(p, weight);
  return w && w->shape.rank() > 0 ? static_cast<double>(w->shape.elements() / w->shape[0]) : 0;
}

/// A pair such as {3, 3}; empty where the attribute is missing.
std::span<const std::int64_t> sizes_attr(const Step& s, std::string_view name) {
  const auto found = s.attrs.find(name);
  const auto* sizes = found == s.attrs.end() ? nullptr : std::get_if<std::vector<std::int64_t>>(&found->second);
  return sizes ? std::span<const std::int64_t>(*sizes) : std::span<const std::int64_t>();
}

bool is(std::string_view kernel, std::string_view operation) {
  return kernel == operation || (kernel.starts_with(operation) && kernel[operation.size()] == '_');
}

/// Elements of a window of the pool that a convolution is fused with.
double window_of(const Step& s) {
  double all = 1;
  for (const std::int64_t size : sizes_attr(s, "window")) all *= static_cast<double>(size);
  return all;
}

/// y, or dy, times what each of its elements is a sum of. For a transposed convolution x has that role.
double products_of(const Plan& p, const Step& s) {
  const std::string_view k = s.kernel;
  if (is(k, "attention")) {
    const Value& x = *value(p, s.inputs[k == "attention" ? 0 : 1]);  // (N, 3 features, tokens, 1)
    // of a third of x with each token: Q K and P V; of the backward pass four such products
    const double products = k == "attention" ? 2 : 4;
    return products * static_cast<double>(x.shape.elements()) / 3 * static_cast<double>(x.shape[2]);
  }
  const bool transposed = is(k, "conv_transpose2d");
  if (!transposed && !is(k, "conv2d") && !is(k, "linear")) return 0;
  const bool weight = k.find("_grad_weight") != std::string_view::npos;
  const bool input = k.find("_grad_input") != std::string_view::npos;
  const double each = of_each_output(p, weight ? s.outputs[0] : s.inputs[1]);
  if (transposed) return each * elements(p, weight ? s.inputs[1] : input ? s.outputs[0] : s.inputs[0]);
  return each * (weight || input ? elements(p, s.inputs[0]) : elements(p, s.outputs[0]) * window_of(s));
}

/// Over the flat regions of weights, gradients and states, which steps do not list.
double update_bytes(const Plan& p, const Step& s) {
  double states = 0;
  for (const Value& v : p.values)
    if (v.role == Role::optimizer) states += 4.0 * static_cast<double>(v.shape.elements());
  const double weights = 4.0 * static_cast<double>(p.weight_elements);
  return find_optimizer(s.kernel) ? 3 * weights + 2 * states : weights;
}

/// The share of multiplications that remains: tiles of 4 x 4 results.
double after_winograd(const Plan& p, const Step& s) {
  if (!is(s.kernel, "conv2d")) return 1;
  for (const std::int64_t stride : sizes_attr(s, "stride"))
    if (stride != 1) return 1;
  const bool weight = s.kernel.find("_grad_weight") != std::string::npos;
  const Value& w = *value(p, weight ? s.outputs[0] : s.inputs[1]);
  constexpr std::int64_t least_channels = 16, tile = 4;
  const std::int64_t taps = w.shape[2];
  if (w.shape[0] < least_channels || w.shape[1] < least_channels || taps != w.shape[3] || (taps != 3 && taps != 5))
    return 1;
  const auto square = [](std::int64_t n) { return static_cast<double>(n * n); };
  return square(tile + taps - 1) / (square(tile) * square(taps));
}

}  // namespace

StepWork work_of(const Plan& p, const Step& s) {
  StepWork w{.multiply_adds = products_of(p, s)};
  if (s.phase == Phase::update) w.bytes = update_bytes(p, s);
  for (const auto* list : {&s.inputs, &s.outputs})
    for (const int v : *list) w.bytes += bytes_of(p, v);
  return w;
}

WorkTime& WorkTime::operator+=(const WorkTime& o) {
  products_s += o.products_s;
  memory_s += o.memory_s;
  starts_s += o.starts_s;
  return *this;
}
WorkTime WorkTime::operator*(double times) const { return {products_s * times, memory_s * times, starts_s * times}; }

WorkTime time_of(const Plan& p, const Step& s, const DeviceFigures& d) {
  const StepWork w = work_of(p, s);
  const double saved = d.winograd && p.compute == DType::f32 ? after_winograd(p, s) : 1;
  const double products = 2 * w.multiply_adds * saved / d.reached(p.compute);
  const double memory = w.bytes / (d.memory_bytes_per_s * d.memory_share);
  WorkTime t{.starts_s = d.kernel_start_s};
  (products > memory ? t.products_s : t.memory_s) = std::max(products, memory);
  return t;
}

}  // namespace nw::scaling
