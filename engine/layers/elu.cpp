// SPDX-License-Identifier: Apache-2.0
// y = x where x > 0, alpha (e^x - 1) elsewhere. Clevert, Unterthiner & Hochreiter, arXiv 1511.07289.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

void lower(const Attrs& a, Emit& e) {
  const StepAttrs attrs{{"alpha", a.real("alpha")}};
  e.forward("elu", {e.input()}, {e.output()}, attrs);
  if (e.needs_grad_of_input()) e.backward("elu_grad", {e.grad_of_output(), e.input()}, {e.grad_of_input()}, attrs);
}

}  // namespace

extern const LayerType elu_layer{
    .name = "ELU",
    .group = "Activation",
    .stem = "elu",
    .summary = text(NW_TR("Like ReLU, but negative values bend smoothly towards a floor.")),
    .onnx = "Elu",
    .fields = {real_field("alpha", text(NW_TR("Alpha")), 1, 0, 10,
                          text(NW_TR("Depth of the floor that negative values bend towards.")))},
    .infer = infer,
    .lower = lower};

}  // namespace nw
