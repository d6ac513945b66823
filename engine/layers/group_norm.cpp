// SPDX-License-Identifier: Apache-2.0
// Per sample and group of channels: y = (x - mean) / sqrt(var + eps) * weight + bias with the mean and variance of the
// group and one weight and bias per channel. Wu & He, arXiv 1803.08494.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  const std::int64_t groups = a.integer("num_groups");
  if (in[0][1] % groups != 0)
    return ShapeError{text(NW_TR("Needs channels that {0} groups divide, gets {1}"), groups, to_string(in[0], true)),
                      0,
                      {QuickFix::dividing_groups}};
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
  const std::int64_t groups = a.integer("num_groups");
  const ValueRef norm = e.training() ? e.saved("mean_invstd", {e.shape(x)[0], 2 * groups}, DType::f32) : -1;
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

extern const LayerType group_norm_layer{
    .name = "GroupNorm",
    .group = "Normalization",
    .stem = "gn",
    .summary = text(NW_TR("Brings groups of channels of each image to mean 0 and variance 1, whatever the batch.")),
    .onnx = "GroupNormalization",
    .fields = {integer_field("num_groups", text(NW_TR("Groups")), 4, 1, 4096,
                             text(NW_TR("Number of groups of channels."))),
               real_field("eps", text(NW_TR("Epsilon")), 1e-5, 1e-12, 1,
                          text(NW_TR("Added to the variance, so that nothing is divided by zero."))),
               boolean_field("affine", text(NW_TR("Learned scale")), true,
                             text(NW_TR("Learns a factor and an offset for each channel.")))},
    .infer = infer,
    .weights = weights,
    .lower = lower,
    .multiply_adds = multiply_adds};

}  // namespace nw
