// SPDX-License-Identifier: Apache-2.0
// The channels of each pixel to mean 0 and variance 1, one weight and bias per channel: torch.nn.LayerNorm([C]) on
// channels that are innermost, torchvision's LayerNorm2d. Ba, Kiros & Hinton, arXiv 1607.06450.
#include "engine/layers/norm.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) {
  if (in[0].rank() != 4)
    return ShapeError{text(NW_TR("Needs an image, gets {0}"), to_string(in[0], true)), 0, {QuickFix::remove}};
  return in[0];
}
std::vector<Weight> weights(const Attrs& a, std::span<const Shape> in) {
  return scale_and_offset({in[0][1]}, a.boolean("elementwise_affine"));
}

void lower(const Attrs& a, Emit& e) {
  const Shape& x = e.shape(e.input());
  lower_norm({"channel_norm", {x[0], 2, x[2], x[3]}}, a, e);
}

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
    .multiply_adds = norm_multiply_adds};

}  // namespace nw
