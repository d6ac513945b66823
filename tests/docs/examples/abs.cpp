// SPDX-License-Identifier: Apache-2.0
// y = |x|: a leaky ReLU whose slope is -1 for negative values. In docs/adding.md.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

void lower(const Attrs&, Emit& e) {
  const StepAttrs slope{{"negative_slope", -1.0}};
  e.forward("leaky_relu", {e.input()}, {e.output()}, slope);
  if (e.needs_grad_of_input())
    e.backward("leaky_relu_grad", {e.grad_of_output(), e.input()}, {e.grad_of_input()}, slope);
}

}  // namespace

extern const LayerType abs_layer{.name = "Abs",
                                 .group = "Activation",
                                 .stem = "abs",
                                 .summary = text(NW_TR("Absolute value of each element.")),
                                 .onnx = "Abs",
                                 .infer = infer,
                                 .lower = lower};

}  // namespace nw
