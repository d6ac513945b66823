// SPDX-License-Identifier: Apache-2.0
// y = x / (k + alpha / size * sum of x^2 over `size` neighbouring channels)^beta. Krizhevsky, Sutskever & Hinton,
// "ImageNet classification with deep convolutional neural networks", NeurIPS 2012, 3.3; alpha / size as in PyTorch.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

void lower(const Attrs& a, Emit& e) {
  const StepAttrs attrs{
      {"size", a.integer("size")}, {"alpha", a.real("alpha")}, {"beta", a.real("beta")}, {"k", a.real("k")}};
  e.forward("local_response_norm", {e.input()}, {e.output()}, attrs);
  if (e.needs_grad_of_input())
    e.backward("local_response_norm_grad", {e.grad_of_output(), e.input()}, {e.grad_of_input()}, attrs);
}

std::int64_t multiply_adds(const Attrs& a, std::span<const Shape>, const Shape& out) {
  return out.per_sample() * a.integer("size");
}

}  // namespace

extern const LayerType local_response_norm_layer{
    .name = "LocalResponseNorm",
    .group = "Normalization",
    .stem = "lrn",
    .summary = text(NW_TR("Divides each value by the strength of neighbouring channels, as in AlexNet.")),
    .onnx = "LRN",
    .fields = {integer_field("size", text(NW_TR("Channels")), 5, 1, 1024,
                             text(NW_TR("Number of neighbouring channels that count."))),
               real_field("alpha", text(NW_TR("Alpha")), 1e-4, 0, 100,
                          text(NW_TR("Factor of the mean square of the channels."))),
               real_field("beta", text(NW_TR("Beta")), 0.75, 0, 10, text(NW_TR("Exponent of the divisor."))),
               real_field("k", text(NW_TR("Offset")), 1, 1e-3, 100,
                          text(NW_TR("Added to the mean square, so that nothing is divided by zero.")))},
    .infer = infer,
    .lower = lower,
    .multiply_adds = multiply_adds};

}  // namespace nw
