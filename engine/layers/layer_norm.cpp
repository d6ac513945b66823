// SPDX-License-Identifier: Apache-2.0
// Per sample: y = (x - mean) / sqrt(var + eps) * weight + bias with the mean and variance over C,H,W (or the features)
// and one weight and bias per element, as torch.nn.LayerNorm([C, H, W]). Ba, Kiros & Hinton, arXiv 1607.06450.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

std::vector<Weight> weights(const Attrs& a, std::span<const Shape> in) {
  if (!a.boolean("elementwise_affine")) return {};
  const Shape& x = in[0];
  const Shape each = x.rank() == 4 ? Shape{x[1], x[2], x[3]} : Shape{x[1]};
  return {{.name = "weight", .shape = each, .init = "ones", .decay = false},
          {.name = "bias", .shape = each, .init = "zeros", .decay = false}};
}

void lower(const Attrs& a, Emit& e) {
  const ValueRef x = e.input(), w = e.weight("weight");
  const ValueRef norm = e.training() ? e.saved("mean_invstd", {e.shape(x)[0], 2}, DType::f32) : -1;
  e.forward("layer_norm", {x, w, e.weight("bias")}, {e.output(), norm}, {{"eps", a.real("eps")}});
  if (!e.training()) return;
  const ValueRef dy = e.grad_of_output();
  if (w >= 0)
    e.backward("layer_norm_grad_weight", {dy, x, norm}, {e.grad_of_weight("weight"), e.grad_of_weight("bias")});
  if (e.needs_grad_of_input()) e.backward("layer_norm_grad_input", {dy, x, norm, w}, {e.grad_of_input()});
}

std::int64_t multiply_adds(const Attrs&, std::span<const Shape>, const Shape& out) { return out.per_sample(); }

}  // namespace

extern const LayerType layer_norm_layer{
    .name = "LayerNorm",
    .group = "Normalization",
    .stem = "ln",
    .summary = text(NW_TR("Normalizes each image to mean 0 and variance 1, independently of the batch.")),
    .onnx = "LayerNormalization",
    .fields = {real_field("eps", text(NW_TR("Epsilon")), 1e-5, 1e-12, 1,
                          text(NW_TR("Added to the variance, so that nothing is divided by zero."))),
               boolean_field("elementwise_affine", text(NW_TR("Learned scale")), true,
                             text(NW_TR("Learns a factor and an offset for each element.")))},
    .infer = infer,
    .weights = weights,
    .lower = lower,
    .multiply_adds = multiply_adds};

}  // namespace nw
