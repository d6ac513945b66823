// SPDX-License-Identifier: Apache-2.0
// y = tanh(x), element by element.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

void lower(const Attrs&, Emit& e) {
  e.forward("tanh", {e.input()}, {e.output()});
  if (e.needs_grad_of_input()) e.backward("tanh_grad", {e.grad_of_output(), e.output()}, {e.grad_of_input()});
}

}  // namespace

extern const LayerType tanh_layer{.name = "Tanh",
                                  .group = "Activation",
                                  .stem = "tanh",
                                  .summary = text(NW_TR("Squeezes every value into -1 to 1.")),
                                  .onnx = "Tanh",
                                  .infer = infer,
                                  .lower = lower};

}  // namespace nw
