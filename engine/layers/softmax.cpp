// SPDX-License-Identifier: Apache-2.0
// y = exp(x) / sum over dimension 1 of exp(x).
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

void lower(const Attrs&, Emit& e) {
  e.forward("softmax", {e.input()}, {e.output()});
  if (e.needs_grad_of_input()) e.backward("softmax_grad", {e.grad_of_output(), e.output()}, {e.grad_of_input()});
}

}  // namespace

extern const LayerType softmax_layer{.name = "Softmax",
                                     .group = "Activation",
                                     .stem = "softmax",
                                     .summary = text(NW_TR("Turns scores into shares that add up to 1.")),
                                     .onnx = "Softmax",
                                     .infer = infer,
                                     .lower = lower};

}  // namespace nw
