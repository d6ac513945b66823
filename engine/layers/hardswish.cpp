// SPDX-License-Identifier: Apache-2.0
// y = x * clamp(x + 3, 0, 6) / 6, element by element. Howard et al., arXiv 1905.02244.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

void lower(const Attrs&, Emit& e) {
  e.forward("hardswish", {e.input()}, {e.output()});
  if (e.needs_grad_of_input()) e.backward("hardswish_grad", {e.grad_of_output(), e.input()}, {e.grad_of_input()});
}

}  // namespace

extern const LayerType hardswish_layer{
    .name = "Hardswish",
    .group = "Activation",
    .stem = "hardswish",
    .summary = text(NW_TR("SiLU made of straight pieces: cheaper, for small networks.")),
    .onnx = "HardSwish",
    .infer = infer,
    .lower = lower};

}  // namespace nw
