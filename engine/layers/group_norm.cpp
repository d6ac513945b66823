// SPDX-License-Identifier: Apache-2.0
// Per sample and group of channels: y = (x - mean) / sqrt(var + eps) * weight + bias with the mean and variance of the
// group and one weight and bias per channel. Wu & He, arXiv 1803.08494.
#include "engine/layers/norm.hpp"

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
  return scale_and_offset({in[0][1]}, a.boolean("affine"));
}

void lower(const Attrs& a, Emit& e) { lower_group_norm(a.integer("num_groups"), a, e); }

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
    .multiply_adds = norm_multiply_adds};

}  // namespace nw
