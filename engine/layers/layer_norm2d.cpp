// SPDX-License-Identifier: Apache-2.0
// The channels of each pixel to mean 0 and variance 1, one weight and bias per channel: torch.nn.LayerNorm([C]) on
// channels that are innermost, torchvision's LayerNorm2d. Ba, Kiros & Hinton, arXiv 1607.06450.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) {
  if (in[0].rank() != 4)
    return ShapeError{text(NW_TR("Needs an image, gets {0}"), to_string(in[0], true)), 0, {QuickFix::remove}};
  return in[0];
}

std::vector<Weight> weights(const Attrs& a, std::span<const Shape> in) {
  if (!a.boolean("elementwise_affine")) return {};
  const Shape c{in[0][1]};
  return {{.name = "weight", .shape = c, .init = "ones", .decay = false},
          {.name = "bias", .shape = c, .init = "zeros", .decay = false}};
}

void lower(const Attrs& a, Emit& e) {
  const ValueRef x = e.input(), w = e.weight("weight");
  const Shape s = e.shape(x);
  const ValueRef norm = e.training() ? e.saved("mean_invstd", {s[0], 2, s[2], s[3]}, DType::f32) : -1;
  e.forward("channel_norm", {x, w, e.weight("bias")}, {e.output(), norm}, {{"eps", a.real("eps")}});
  if (!e.training()) return;
  const ValueRef dy = e.grad_of_output();
  if (w >= 0)
    e.backward("channel_norm_grad_weight", {dy, x, norm}, {e.grad_of_weight("weight"), e.grad_of_weight("bias")});
  if (e.needs_grad_of_input()) e.backward("channel_norm_grad_input", {dy, x, norm, w}, {e.grad_of_input()});
}

std::int64_t multiply_adds(const Attrs&, std::span<const Shape>, const Shape& out) { return out.per_sample(); }

}  // namespace

extern const LayerType layer_norm2d_layer{
    .name = "LayerNorm2d",
    .group = "Normalization",
    .stem = "ln",
    .summary = text(NW_TR("Normalizes the channels of each pixel or token, as in ConvNeXt and transformers.")),
    .onnx = "LayerNormalization",
    .fields = {real_field("eps", text(NW_TR("Epsilon")), 1e-6, 1e-12, 1,
                          text(NW_TR("Added to the variance, so that nothing is divided by zero."))),
               boolean_field("elementwise_affine", text(NW_TR("Learned scale")), true,
                             text(NW_TR("Learns a factor and an offset for each channel.")))},
    .infer = infer,
    .weights = weights,
    .lower = lower,
    .multiply_adds = multiply_adds};

}  // namespace nw
