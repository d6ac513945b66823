// SPDX-License-Identifier: Apache-2.0
// Cases of the kernels that treat channels by themselves or together at one pixel, of orders of elements, and of
// attention.
#include "tests/kernels/kernel_cases.hpp"

namespace nw::test {
namespace {

KernelCase unary(Rng& r, const Shape& x, KernelCase k, const Shape& y) {
  (void)r;
  k.inputs = {{"x", x}};
  k.outputs = {{"y", y}};
  return k;
}

// ---- one number for each channel
KernelCase scale_channels(Rng& r) {
  KernelCase k = activation(r);
  k.inputs.push_back({"w", {k.inputs[0].shape[1]}, Fill::noise, false});
  return k;
}
KernelCase scale_channels_grad_weight(Rng& r) {
  KernelCase k = grad_of_x(r);
  k.outputs = {{"dw", {k.inputs[0].shape[1]}, Fill::noise, false}};
  return k;
}
KernelCase add_spread(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k), spread{x[0], x[1], 1, 1};
  const std::int64_t count = pick(r, 1, 11), whole = pick(r, 1, count);
  for (std::int64_t i = 1; i <= count; ++i)
    k.inputs.push_back({fmt::format("x{}", i), i == whole || r() % 2 ? x : spread});
  k.outputs = {{"y", x}};
  return k;
}
KernelCase global_max_pool2d(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  return unary(r, x, k, {x[0], x[1], 1, 1});
}
KernelCase global_max_pool2d_grad(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  k.inputs = {{"dy", {x[0], x[1], 1, 1}, Fill::gradient}, {"x", x, Fill::rectified}};  // many equal values: zeros
  k.outputs = {{"dx", x}};
  k.zero_padding = true;
  return k;
}

// ---- orders
KernelCase reshape(Rng& r) {
  KernelCase k = sized(r);
  const std::int64_t a = pick(r, 1, 4), b = pick(r, 1, 4), c = pick(r, 1, 4), d = pick(r, 1, 4);
  const Shape forms[] = {{k.batch, a * b, c, d}, {k.batch, c, a, b * d}, {k.batch, a * b * c * d}};
  return unary(r, forms[r() % 3], k, forms[r() % 3]);
}
KernelCase transpose(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  Shape y = x;
  const std::int64_t first = pick(r, 1, 3), second = pick(r, 1, 3);
  std::swap(y[static_cast<int>(first)], y[static_cast<int>(second)]);
  k.attrs = {{"first", first}, {"second", second}};
  return unary(r, x, k, y);
}
KernelCase channel_shuffle(Rng& r) {
  KernelCase k = sized(r);
  Shape x = any_shape(r, k);
  const std::int64_t groups = pick(r, 1, 5);
  x[1] *= groups;
  k.attrs = {{"groups", groups}};
  return unary(r, x, k, x);
}
KernelCase slice_grad(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = any_shape(r, k);
  Shape part = x;
  const std::int64_t begin = pick(r, 0, x[1] - 1);
  part[1] = pick(r, 1, x[1] - begin);
  k.inputs = {{"dy", part, Fill::gradient}};
  k.outputs = {{"dx", x}};
  k.attrs = {{"begin", begin}};
  k.zero_padding = true;
  return k;
}

// ---- norms over the channels of a pixel
Shape statistics_of(const Shape& x) { return {x[0], 2, x[2], x[3]}; }
KernelCase channel_norm(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k), w{x[1]};
  k.inputs = {{"x", x}};
  if (r() % 3) k.inputs.insert(k.inputs.end(), {{"w", w, Fill::noise, false}, {"b", w, Fill::noise, false}});
  k.outputs = {{"y", x}};
  if (r() % 3) k.outputs.push_back({"mean_invstd", statistics_of(x)});
  k.attrs["eps"] = 1e-3;
  return k;
}
KernelCase channel_norm_grad_input(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  k.inputs = {{"dy", x, Fill::gradient}, {"x", x}, {"mean_invstd", statistics_of(x)}};
  if (r() % 3) k.inputs.push_back({"w", {x[1]}, Fill::noise, false});
  k.outputs = {{"dx", x}};
  return k;
}
KernelCase channel_norm_grad_weight(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  k.inputs = {{"dy", x, Fill::gradient}, {"x", x}, {"mean_invstd", statistics_of(x)}};
  k.outputs = {{"dw", {x[1]}, Fill::noise, false}};
  if (r() % 3) k.outputs.push_back({"db", {x[1]}, Fill::noise, false});
  return k;
}
StepAttrs response(Rng& r) {
  return {{"size", pick(r, 1, 6)}, {"alpha", r() % 2 ? 1e-4 : 0.5}, {"beta", 0.75}, {"k", r() % 2 ? 1.0 : 2.0}};
}
KernelCase local_response_norm(Rng& r) {
  KernelCase k = activation(r);
  k.attrs = response(r);
  return k;
}
KernelCase local_response_norm_grad(Rng& r) {
  KernelCase k = grad_of_x(r);
  k.attrs = response(r);
  return k;
}

// ---- sequences
Shape sequence(Rng& r, const KernelCase& k, std::int64_t features) { return {k.batch, features, pick(r, 1, 12), 1}; }
KernelCase add_tokens(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = sequence(r, k, pick(r, 1, 9));
  k.inputs = {{"x", x}, {"w", {1, pick(r, 1, x[2]), x[1]}, Fill::noise, false}};
  k.outputs = {{"y", x}};
  return k;
}
KernelCase add_tokens_grad_weight(Rng& r) {
  KernelCase k = sized(r);
  const Shape dy = sequence(r, k, pick(r, 1, 9));
  k.inputs = {{"dy", dy, Fill::gradient}};
  k.outputs = {{"dw", {1, pick(r, 1, dy[2]), dy[1]}, Fill::noise, false}};
  return k;
}
struct AttentionSizes {
  Shape all, result, weights;
};
AttentionSizes attention_sizes(Rng& r, KernelCase& k) {
  const std::int64_t heads = pick(r, 1, 4), features = heads * pick(r, 1, 9);
  const Shape x = sequence(r, k, 3 * features);
  k.attrs = {{"heads", heads}};
  return {x, {k.batch, features, x[2], 1}, {k.batch, heads * x[2] * x[2]}};
}
KernelCase attention(Rng& r) {
  KernelCase k = sized(r);
  const AttentionSizes s = attention_sizes(r, k);
  k.inputs = {{"x", s.all}};
  k.outputs = {{"y", s.result}};
  if (r() % 3) k.outputs.push_back({"p", s.weights});
  k.tolerance = 1e-5;
  return k;
}
KernelCase attention_grad(Rng& r) {
  KernelCase k = sized(r);
  const AttentionSizes s = attention_sizes(r, k);
  k.inputs = {{"dy", s.result, Fill::gradient}, {"x", s.all}, {"p", s.weights, Fill::probabilities}};
  k.outputs = {{"dx", s.all}};
  k.zero_padding = true;
  k.tolerance = 1e-5;
  return k;
}

}  // namespace

std::map<std::string, Generator> channel_cases() {
  return {{"scale_channels", scale_channels},
          {"scale_channels_grad_weight", scale_channels_grad_weight},
          {"add_spread", add_spread},
          {"global_max_pool2d", global_max_pool2d},
          {"global_max_pool2d_grad", global_max_pool2d_grad},
          {"reshape", reshape},
          {"transpose", transpose},
          {"channel_shuffle", channel_shuffle},
          {"slice_grad", slice_grad},
          {"channel_norm", channel_norm},
          {"channel_norm_grad_input", channel_norm_grad_input},
          {"channel_norm_grad_weight", channel_norm_grad_weight},
          {"local_response_norm", local_response_norm},
          {"local_response_norm_grad", local_response_norm_grad},
          {"add_tokens", add_tokens},
          {"add_tokens_grad_weight", add_tokens_grad_weight},
          {"attention", attention},
          {"attention_grad", attention_grad}};
}

}  // namespace nw::test
