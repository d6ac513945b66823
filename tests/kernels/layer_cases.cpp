// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/kernel_cases.hpp"

namespace nw::test {
namespace {

using List = std::vector<std::int64_t>;

// ---- norms within a sample
struct NormSizes {
  Shape x, statistics, weight;
};
NormSizes layer_sizes(Rng& r, KernelCase& k) {
  const Shape x = any_shape(r, k);
  return {x, {k.batch, 2}, x.rank() == 4 ? Shape{x[1], x[2], x[3]} : Shape{x[1]}};
}
NormSizes group_sizes(Rng& r, KernelCase& k) {
  Shape x = any_shape(r, k);
  const std::int64_t groups = pick(r, 1, 4);
  x[1] *= groups;
  k.attrs["groups"] = groups;
  return {x, {k.batch, 2 * groups}, {x[1]}};
}
template <NormSizes (*sizes)(Rng&, KernelCase&)>
KernelCase norm(Rng& r) {
  KernelCase k = sized(r);
  const NormSizes s = sizes(r, k);
  k.inputs = {{"x", s.x}};
  if (r() % 3)
    k.inputs.insert(k.inputs.end(), {{"w", s.weight, Fill::noise, false}, {"b", s.weight, Fill::noise, false}});
  k.outputs = {{"y", s.x}};
  if (r() % 3) k.outputs.push_back({"mean_invstd", s.statistics});
  k.attrs["eps"] = 1e-3;
  return k;
}
template <NormSizes (*sizes)(Rng&, KernelCase&)>
KernelCase norm_grad_input(Rng& r) {
  KernelCase k = sized(r);
  const NormSizes s = sizes(r, k);
  k.inputs = {{"dy", s.x, Fill::gradient}, {"x", s.x}, {"mean_invstd", s.statistics, Fill::sample_statistics}};
  if (r() % 3) k.inputs.push_back({"w", s.weight, Fill::noise, false});
  k.outputs = {{"dx", s.x}};
  k.zero_padding = true;
  return k;
}
template <NormSizes (*sizes)(Rng&, KernelCase&)>
KernelCase norm_grad_weight(Rng& r) {
  KernelCase k = sized(r);
  const NormSizes s = sizes(r, k);
  k.inputs = {{"dy", s.x, Fill::gradient}, {"x", s.x}, {"mean_invstd", s.statistics, Fill::sample_statistics}};
  k.outputs = {{"dw", s.weight, Fill::noise, false}};
  if (r() % 3) k.outputs.push_back({"db", s.weight, Fill::noise, false});
  return k;
}

// ---- element-wise
KernelCase round_bf16(Rng& r) {  // a batched value, or a weight
  if (r() % 2) return activation(r);
  KernelCase k = sized(r);
  const Shape w = any_shape(r, k);
  k.inputs = {{"x", w, Fill::noise, false}};
  k.outputs = {{"y", w, Fill::noise, false}};
  return k;
}
TensorCase slopes(Rng& r, const Shape& x) { return {"w", {r() % 2 ? 1 : x[1]}, Fill::noise, false}; }
KernelCase prelu(Rng& r) {
  KernelCase k = activation(r);
  k.inputs.push_back(slopes(r, k.inputs[0].shape));
  return k;
}
KernelCase prelu_grad_input(Rng& r) {
  KernelCase k = grad_of_x(r);
  k.inputs.push_back(slopes(r, k.inputs[0].shape));
  return k;
}
KernelCase prelu_grad_weight(Rng& r) {
  KernelCase k = grad_of_x(r);
  k.outputs = {slopes(r, k.inputs[0].shape)};
  return k;
}

// ---- products: at least one factor has the output's shape, the others may have one number per channel
KernelCase multiply(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = any_shape(r, k), scale = x.rank() == 4 ? Shape{x[0], x[1], 1, 1} : x;
  const std::int64_t count = pick(r, 1, 4), whole = pick(r, 1, count);
  for (std::int64_t i = 1; i <= count; ++i)
    k.inputs.push_back({fmt::format("x{}", i), i == whole || r() % 2 ? x : scale});
  k.outputs = {{"y", x}};
  return k;
}
KernelCase multiply_grad_scale(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k), scale{x[0], x[1], 1, 1};
  k.inputs = {{"dy", x, Fill::gradient}};
  for (std::int64_t i = pick(r, 0, 3); i > 0; --i) k.inputs.push_back({fmt::format("x{}", i), r() % 2 ? x : scale});
  k.outputs = {{"dx", scale}};
  return k;
}

// ---- images of another size
struct Resized {
  Shape small, large;
};
KernelCase from(KernelCase k, const Shape& x, const Shape& y) {
  k.inputs = {{"x", x}};
  k.outputs = {{"y", y}};
  return k;
}
KernelCase back(KernelCase k, const Shape& x, const Shape& y) {
  k.inputs = {{"dy", y, Fill::gradient}};
  k.outputs = {{"dx", x}};
  return k;
}
KernelCase adaptive(Rng& r, KernelCase (*way)(KernelCase, const Shape&, const Shape&)) {
  const KernelCase k = sized(r);
  const Shape x = image(r, k);
  return way(k, x, {x[0], x[1], pick(r, 1, 10), pick(r, 1, 10)});
}
KernelCase padded(Rng& r, KernelCase (*way)(KernelCase, const Shape&, const Shape&)) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  const std::int64_t top = pick(r, 0, 3), left = pick(r, 0, 3);
  k.attrs = {{"padding", List{top, left}}};
  return way(k, x, {x[0], x[1], top + x[2] + pick(r, 0, 3), left + x[3] + pick(r, 0, 3)});
}
KernelCase upsampled(Rng& r, KernelCase (*way)(KernelCase, const Shape&, const Shape&)) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  k.attrs = {{"mode", std::string(r() % 3 ? "bilinear" : "nearest")}};
  return way(k, x, {x[0], x[1], x[2] * pick(r, 1, 4), x[3] * pick(r, 1, 4)});
}
KernelCase adaptive_avg_pool2d(Rng& r) { return adaptive(r, from); }
KernelCase adaptive_avg_pool2d_grad(Rng& r) { return adaptive(r, back); }
KernelCase zero_pad2d(Rng& r) { return padded(r, from); }
KernelCase zero_pad2d_grad(Rng& r) { return padded(r, back); }
KernelCase upsample(Rng& r) { return upsampled(r, from); }
KernelCase upsample_grad(Rng& r) { return upsampled(r, back); }

// ---- transposed convolution
struct TransposeSizes {
  Shape x, y, weight, bias;
};
TransposeSizes transpose_sizes(Rng& r, KernelCase& k) {
  const std::int64_t groups = r() % 3 == 0 ? pick(r, 2, 3) : 1, in = groups * pick(r, 1, 5), each = pick(r, 1, 5);
  List kernel, stride, padding, dilation, small, large;
  for (int i = 0; i < 2; ++i) {
    stride.push_back(pick(r, 1, 3));
    dilation.push_back(r() % 4 ? 1 : 2);
    kernel.push_back(pick(r, 1, 4));
    const std::int64_t reach = dilation.back() * (kernel.back() - 1),
                       extra = pick(r, 0, std::max(stride.back(), dilation.back()) - 1);
    small.push_back(pick(r, 2, 6));
    const std::int64_t bare = (small.back() - 1) * stride.back() + reach + extra + 1;
    padding.push_back(pick(r, 0, (bare - 1) / 2));
    large.push_back(bare - 2 * padding.back());
  }
  k.attrs = {{"stride", stride}, {"padding", padding}, {"dilation", dilation}, {"groups", groups}};
  return {{k.batch, in, small[0], small[1]},
          {k.batch, groups * each, large[0], large[1]},
          {in, each, kernel[0], kernel[1]},
          {groups * each}};
}
KernelCase conv_transpose2d(Rng& r) {
  KernelCase k = sized(r);
  const TransposeSizes s = transpose_sizes(r, k);
  k.inputs = {{"x", s.x}, {"w", s.weight, Fill::noise, false}};
  if (r() % 2) k.inputs.push_back({"b", s.bias, Fill::noise, false});
  k.outputs = {{"y", s.y}};
  return k;
}
KernelCase conv_transpose2d_grad_input(Rng& r) {
  KernelCase k = sized(r);
  const TransposeSizes s = transpose_sizes(r, k);
  k.inputs = {{"dy", s.y, Fill::gradient}, {"w", s.weight, Fill::noise, false}};
  k.outputs = {{"dx", s.x}};
  return k;
}
KernelCase conv_transpose2d_grad_weight(Rng& r) {
  KernelCase k = sized(r);
  const TransposeSizes s = transpose_sizes(r, k);
  k.inputs = {{"dy", s.y, Fill::gradient}, {"x", s.x}};
  k.outputs = {{"dw", s.weight, Fill::noise, false}};
  if (r() % 2) k.outputs.push_back({"db", s.bias, Fill::noise, false});
  return k;
}

}  // namespace

std::map<std::string, Generator> layer_cases() {
  return {{"layer_norm", norm<layer_sizes>},
          {"layer_norm_grad_input", norm_grad_input<layer_sizes>},
          {"layer_norm_grad_weight", norm_grad_weight<layer_sizes>},
          {"group_norm", norm<group_sizes>},
          {"group_norm_grad_input", norm_grad_input<group_sizes>},
          {"group_norm_grad_weight", norm_grad_weight<group_sizes>},
          {"round_bf16", round_bf16},
          {"prelu", prelu},
          {"prelu_grad_input", prelu_grad_input},
          {"prelu_grad_weight", prelu_grad_weight},
          {"multiply", multiply},
          {"multiply_grad_scale", multiply_grad_scale},
          {"adaptive_avg_pool2d", adaptive_avg_pool2d},
          {"adaptive_avg_pool2d_grad", adaptive_avg_pool2d_grad},
          {"zero_pad2d", zero_pad2d},
          {"zero_pad2d_grad", zero_pad2d_grad},
          {"upsample", upsample},
          {"upsample_grad", upsample_grad},
          {"conv_transpose2d", conv_transpose2d},
          {"conv_transpose2d_grad_input", conv_transpose2d_grad_input},
          {"conv_transpose2d_grad_weight", conv_transpose2d_grad_weight}};
}

}  // namespace nw::test
