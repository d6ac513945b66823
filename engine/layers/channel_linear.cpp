// SPDX-License-Identifier: Apache-2.0
// y = x w^T + b over the channels of each pixel or token: torch.nn.Linear on channels that are innermost. A convolution
// of 1 x 1 computes the same; this layer has a linear layer's weight, (out,in).
#include "engine/layers/weighted.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  if (in[0].rank() != 4)
    return ShapeError{
        text(NW_TR("Needs an image, gets {0}; a Linear layer takes vectors"), to_string(in[0], true)), 0, {}};
  return Shape{in[0][0], a.integer("out_features"), in[0][2], in[0][3]};
}

std::int64_t multiply_adds(const Attrs&, std::span<const Shape> in, const Shape& out) {
  return in[0][1] * out.per_sample();
}
void lower(const Attrs&, Emit& e) { lower_weighted("linear", {}, e); }

}  // namespace

extern const LayerType channel_linear_layer{
    .name = "ChannelLinear",
    .group = "Linear",
    .stem = "fc",
    .summary = text(NW_TR("Connects the channels of each pixel or token with every output.")),
    .onnx = "MatMul",
    .fields = {integer_field("out_features", text(NW_TR("Outputs")), 10, 1, 1 << 20,
                             text(NW_TR("How many channels come out."))),
               boolean_field("bias", text(NW_TR("Bias")), true,
                             text(NW_TR("Adds one learned number to each output.")))},
    .infer = infer,
    .weights = linear_weights,
    .lower = lower,
    .multiply_adds = multiply_adds};

}  // namespace nw
