// SPDX-License-Identifier: Apache-2.0
// Multiplies each channel by one learned number that begins small, at the end of a residual branch. Touvron et al.,
// "Going deeper with image transformers", arXiv 2103.17239, 2. The weight is named as the layer, as in torchvision's
// ConvNeXt: "layer_scale" (C,1,1).
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

std::vector<Weight> weights(const Attrs& a, std::span<const Shape> in) {
  const Shape each = in[0].rank() == 4 ? Shape{in[0][1], 1, 1} : Shape{in[0][1]};
  return {{.name = "", .shape = each, .init = fmt::format("constant {}", a.real("init_value")), .decay = false}};
}

void lower(const Attrs&, Emit& e) {
  const ValueRef x = e.input(), w = e.weight("");
  e.forward("scale_channels", {x, w}, {e.output()});
  if (!e.training()) return;
  e.backward("scale_channels_grad_weight", {e.grad_of_output(), x}, {e.grad_of_weight("")});
  if (e.needs_grad_of_input()) e.backward("scale_channels", {e.grad_of_output(), w}, {e.grad_of_input()});
}

std::int64_t multiply_adds(const Attrs&, std::span<const Shape>, const Shape& out) { return out.per_sample(); }

}  // namespace

extern const LayerType layer_scale_layer{
    .name = "LayerScale",
    .group = "Normalization",
    .stem = "layer_scale",
    .summary = text(NW_TR("Multiplies each channel by a learned number that begins small.")),
    .onnx = "Mul",
    .fields = {real_field("init_value", text(NW_TR("Initial value")), 1e-6, 0, 1,
                          text(NW_TR("The number that every channel begins with.")))},
    .infer = infer,
    .weights = weights,
    .lower = lower,
    .multiply_adds = multiply_adds};

}  // namespace nw
