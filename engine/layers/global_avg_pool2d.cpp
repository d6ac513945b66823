// SPDX-License-Identifier: Apache-2.0
// Mean of each channel: (N,C,H,W) -> (N,C,1,1).
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) {
  if (in[0].rank() != 4)
    return ShapeError{
        text(NW_TR("Needs an image, gets a vector of {0}"), to_string(in[0], true)), 0, {QuickFix::remove}};
  return Shape{in[0][0], in[0][1], 1, 1};
}

void lower(const Attrs&, Emit& e) {
  e.forward("global_avg_pool2d", {e.input()}, {e.output()});
  if (e.training() && e.needs_grad_of_input())
    e.backward("global_avg_pool2d_grad", {e.grad_of_output()}, {e.grad_of_input()});
}

}  // namespace

extern const LayerType global_avg_pool2d_layer{.name = "GlobalAvgPool2d",
                                               .group = "Pooling",
                                               .stem = "avgpool",
                                               .summary = text(NW_TR("Reduces each channel to its mean.")),
                                               .onnx = "GlobalAveragePool",
                                               .infer = infer,
                                               .lower = lower};

}  // namespace nw
