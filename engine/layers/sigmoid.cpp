// SPDX-License-Identifier: Apache-2.0
// y = 1 / (1 + exp(-x)), element by element.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

void lower(const Attrs&, Emit& e) {
  e.forward("sigmoid", {e.input()}, {e.output()});
  if (e.needs_grad_of_input()) e.backward("sigmoid_grad", {e.grad_of_output(), e.output()}, {e.grad_of_input()});
}

}  // namespace

extern const LayerType sigmoid_layer{.name = "Sigmoid",
                                     .group = "Activation",
                                     .stem = "sigmoid",
                                     .summary = text(NW_TR("Squeezes every value into 0 to 1.")),
                                     .onnx = "Sigmoid",
                                     .infer = infer,
                                     .lower = lower};

}  // namespace nw
