// SPDX-License-Identifier: Apache-2.0
// y = x * sigmoid(x), element by element.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

void lower(const Attrs&, Emit& e) {
  e.forward("silu", {e.input()}, {e.output()});
  if (e.needs_grad_of_input()) e.backward("silu_grad", {e.grad_of_output(), e.input()}, {e.grad_of_input()});
}

}  // namespace

extern const LayerType silu_layer{.name = "SiLU",
                                  .group = "Activation",
                                  .stem = "silu",
                                  .summary = text(NW_TR("A smooth ReLU: x times its sigmoid (also called Swish).")),
                                  .onnx = "",
                                  .infer = infer,
                                  .lower = lower};

}  // namespace nw
