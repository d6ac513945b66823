// SPDX-License-Identifier: Apache-2.0
// y = x where x > 0, weight * x elsewhere; the weight is learned. He et al., arXiv 1502.01852.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

std::vector<Weight> weights(const Attrs& a, std::span<const Shape> in) {
  return {{.name = "weight", .shape = {a.choice("num_parameters") == "1" ? 1 : in[0][1]}, .init = "quarter"}};
}

void lower(const Attrs&, Emit& e) {
  const ValueRef x = e.input(), w = e.weight("weight");
  e.forward("prelu", {x, w}, {e.output()});
  if (!e.training()) return;
  e.backward("prelu_grad_weight", {e.grad_of_output(), x}, {e.grad_of_weight("weight")});
  if (e.needs_grad_of_input()) e.backward("prelu_grad_input", {e.grad_of_output(), x, w}, {e.grad_of_input()});
}

}  // namespace

extern const LayerType prelu_layer{
    .name = "PReLU",
    .group = "Activation",
    .stem = "prelu",
    .summary = text(NW_TR("Like ReLU, but the slope of negative values is learned.")),
    .onnx = "PRelu",
    .fields = {choice_field("num_parameters", text(NW_TR("Slopes")), "1", {"1", "channels"},
                            text(NW_TR("1: one slope for all; channels: one for each channel.")))},
    .infer = infer,
    .weights = weights,
    .lower = lower};

}  // namespace nw
