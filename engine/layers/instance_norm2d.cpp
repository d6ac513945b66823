// SPDX-License-Identifier: Apache-2.0
// Each channel of each image to mean 0 and variance 1: group norm with one channel for each group. Ulyanov, Vedaldi &
// Lempitsky, arXiv 1607.08022.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) {
  if (in[0].rank() != 4)
    return ShapeError{text(NW_TR("Needs an image, gets {0}"), to_string(in[0], true)), 0, {QuickFix::remove}};
  if (in[0][2] * in[0][3] == 1)
    return ShapeError{text(NW_TR("Needs more than one pixel for each channel, gets {0}"), to_string(in[0], true)),
                      0,
                      {QuickFix::remove}};
  return in[0];
}

std::vector<Weight> weights(const Attrs& a, std::span<const Shape> in) {
  if (!a.boolean("affine")) return {};
  const Shape c{in[0][1]};
  return {{.name = "weight", .shape = c, .init = "ones", .decay = false},
          {.name = "bias", .shape = c, .init = "zeros", .decay = false}};
}

void lower(const Attrs& a, Emit& e) {
  const ValueRef x = e.input(), w = e.weight("weight");
  const std::int64_t groups = e.shape(x)[1], batch = e.shape(x)[0];
  const ValueRef norm = e.training() ? e.saved("mean_invstd", {batch, 2 * groups}, DType::f32) : -1;
  e.forward("group_norm", {x, w, e.weight("bias")}, {e.output(), norm}, {{"groups", groups}, {"eps", a.real("eps")}});
  if (!e.training()) return;
  const ValueRef dy = e.grad_of_output();
  const StepAttrs attrs{{"groups", groups}};
  if (w >= 0)
    e.backward("group_norm_grad_weight", {dy, x, norm}, {e.grad_of_weight("weight"), e.grad_of_weight("bias")}, attrs);
  if (e.needs_grad_of_input()) e.backward("group_norm_grad_input", {dy, x, norm, w}, {e.grad_of_input()}, attrs);
}

std::int64_t multiply_adds(const Attrs&, std::span<const Shape>, const Shape& out) { return out.per_sample(); }

}  // namespace

extern const LayerType instance_norm2d_layer{
    .name = "InstanceNorm2d",
    .group = "Normalization",
    .stem = "in",
    .summary = text(NW_TR("Brings each channel of each image to mean 0 and variance 1.")),
    .onnx = "InstanceNormalization",
    .fields = {real_field("eps", text(NW_TR("Epsilon")), 1e-5, 1e-12, 1,
                          text(NW_TR("Added to the variance, so that nothing is divided by zero."))),
               boolean_field("affine", text(NW_TR("Learned scale")), false,
                             text(NW_TR("Learns a factor and an offset for each channel.")))},
    .infer = infer,
    .weights = weights,
    .lower = lower,
    .multiply_adds = multiply_adds};

}  // namespace nw
