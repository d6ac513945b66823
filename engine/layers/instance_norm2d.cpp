// SPDX-License-Identifier: Apache-2.0
// Each channel of each image to mean 0 and variance 1: group norm with one channel for each group. Ulyanov, Vedaldi &
// Lempitsky, arXiv 1607.08022.
#include "engine/layers/norm.hpp"

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
  return scale_and_offset({in[0][1]}, a.boolean("affine"));
}

void lower(const Attrs& a, Emit& e) { lower_group_norm(e.shape(e.input())[1], a, e); }

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
    .multiply_adds = norm_multiply_adds};

}  // namespace nw
