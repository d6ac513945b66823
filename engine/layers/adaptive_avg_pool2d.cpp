// SPDX-License-Identifier: Apache-2.0
// Mean of windows chosen for a given output size: row o is the mean of rows [floor(o H / H'), ceil((o + 1) H / H')).
// (N,C,H,W) -> (N,C,H',W').
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  if (in[0].rank() != 4)
    return ShapeError{
        text(NW_TR("Needs an image, gets a vector of {0}"), to_string(in[0], true)), 0, {QuickFix::remove}};
  const auto [h, w] = a.pair("output_size");
  return Shape{in[0][0], in[0][1], h, w};
}

void lower(const Attrs&, Emit& e) {
  e.forward("adaptive_avg_pool2d", {e.input()}, {e.output()});
  if (e.needs_grad_of_input()) e.backward("adaptive_avg_pool2d_grad", {e.grad_of_output()}, {e.grad_of_input()});
}

}  // namespace

extern const LayerType adaptive_avg_pool2d_layer{
    .name = "AdaptiveAvgPool2d",
    .group = "Pooling",
    .stem = "avgpool",
    .summary = text(NW_TR("Averages so that the output has a chosen size.")),
    .onnx = "",
    .fields = {pair_field("output_size", text(NW_TR("Output size")), 1, 1, 512,
                          text(NW_TR("Height and width of the output.")))},
    .infer = infer,
    .lower = lower};

}  // namespace nw
