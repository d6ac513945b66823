// SPDX-License-Identifier: Apache-2.0
// The largest value of each channel: (N,C,H,W) -> (N,C,1,1), as torch.nn.AdaptiveMaxPool2d(1). The gradient goes to the
// first pixel that has it.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) {
  if (in[0].rank() != 4)
    return ShapeError{text(NW_TR("Needs an image, gets {0}"), to_string(in[0], true)), 0, {QuickFix::remove}};
  return Shape{in[0][0], in[0][1], 1, 1};
}

void lower(const Attrs&, Emit& e) {
  e.forward("global_max_pool2d", {e.input()}, {e.output()});
  if (e.needs_grad_of_input())
    e.backward("global_max_pool2d_grad", {e.grad_of_output(), e.input()}, {e.grad_of_input()});
}

}  // namespace

extern const LayerType global_max_pool2d_layer{
    .name = "GlobalMaxPool2d",
    .group = "Pooling",
    .stem = "gmp",
    .summary = text(NW_TR("Takes the largest value of each channel; any image size fits.")),
    .onnx = "GlobalMaxPool",
    .infer = infer,
    .lower = lower};

}  // namespace nw
