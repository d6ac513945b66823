// SPDX-License-Identifier: Apache-2.0
// Per sample: y = (x - mean) / sqrt(var + eps) * weight + bias with the mean and variance over C,H,W (or the features)
// and one weight and bias per element, as torch.nn.LayerNorm([C, H, W]). Ba, Kiros & Hinton, arXiv 1607.06450.
#include "engine/layers/norm.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }
std::vector<Weight> weights(const Attrs& a, std::span<const Shape> in) {
  const Shape& x = in[0];
  const Shape each = x.rank() == 4 ? Shape{x[1], x[2], x[3]} : Shape{x[1]};
  return scale_and_offset(each, a.boolean("elementwise_affine"));
}

void lower(const Attrs& a, Emit& e) { lower_norm({"layer_norm", {e.shape(e.input())[0], 2}}, a, e); }

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
    .multiply_adds = norm_multiply_adds};

}  // namespace nw
