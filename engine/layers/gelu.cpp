// SPDX-License-Identifier: Apache-2.0
// y = x * Phi(x), the Gaussian distribution function; exactly, or by tanh. Hendrycks & Gimpel, arXiv 1606.08415.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

void lower(const Attrs& a, Emit& e) {
  const StepAttrs attrs{{"approximate", a.choice("approximate")}};
  e.forward("gelu", {e.input()}, {e.output()}, attrs);
  if (e.needs_grad_of_input()) e.backward("gelu_grad", {e.grad_of_output(), e.input()}, {e.grad_of_input()}, attrs);
}

}  // namespace

extern const LayerType gelu_layer{
    .name = "GELU",
    .group = "Activation",
    .stem = "gelu",
    .summary = text(NW_TR("A smooth ReLU weighted by the normal distribution.")),
    .onnx = "Gelu",
    .fields = {choice_field("approximate", text(NW_TR("Formula")), "none", {"none", "tanh"},
                            text(NW_TR("none: exact; tanh: a close and cheaper formula.")))},
    .infer = infer,
    .lower = lower};

}  // namespace nw
