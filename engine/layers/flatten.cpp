// SPDX-License-Identifier: Apache-2.0
// (N,C,H,W) -> (N,C*H*W), in (C,H,W) order whatever the memory layout.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return Shape{in[0][0], in[0].per_sample()}; }

void lower(const Attrs&, Emit& e) {
  e.forward("flatten", {e.input()}, {e.output()});
  if (e.training() && e.needs_grad_of_input()) e.backward("flatten_grad", {e.grad_of_output()}, {e.grad_of_input()});
}

}  // namespace

extern const LayerType flatten_layer{.name = "Flatten",
                                     .group = "Shape",
                                     .stem = "flatten",
                                     .summary = text(NW_TR("Turns an image into a vector.")),
                                     .onnx = "Flatten",
                                     .infer = infer,
                                     .lower = lower};

}  // namespace nw
