// SPDX-License-Identifier: Apache-2.0
// y = max(0, x), element by element.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

void lower(const Attrs&, Emit& e) {
  e.forward("relu", {e.input()}, {e.output()});
  if (e.needs_grad_of_input()) e.backward("relu_grad", {e.grad_of_output(), e.output()}, {e.grad_of_input()});
}

}  // namespace

extern const LayerType relu_layer{.name = "ReLU",
                                  .group = "Activation",
                                  .stem = "relu",
                                  .summary = text(NW_TR("Keeps positive values, sets the rest to zero.")),
                                  .onnx = "Relu",
                                  .infer = infer,
                                  .lower = lower};

}  // namespace nw
