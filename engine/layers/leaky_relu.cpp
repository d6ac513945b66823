// SPDX-License-Identifier: Apache-2.0
// y = x where x > 0, negative_slope * x elsewhere.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

void lower(const Attrs& a, Emit& e) {
  const StepAttrs attrs{{"negative_slope", a.real("negative_slope")}};
  e.forward("leaky_relu", {e.input()}, {e.output()}, attrs);
  if (e.needs_grad_of_input())
    e.backward("leaky_relu_grad", {e.grad_of_output(), e.input()}, {e.grad_of_input()}, attrs);
}

}  // namespace

extern const LayerType leaky_relu_layer{
    .name = "LeakyReLU",
    .group = "Activation",
    .stem = "leakyrelu",
    .summary = text(NW_TR("Like ReLU, but negative values keep a small slope.")),
    .onnx = "LeakyRelu",
    .fields = {real_field("negative_slope", text(NW_TR("Negative slope")), 0.01, 0, 1,
                          text(NW_TR("What negative values are multiplied by.")))},
    .infer = infer,
    .lower = lower};

}  // namespace nw
