// SPDX-License-Identifier: Apache-2.0
// During training, zeroes each channel with probability p and scales the others by 1 / (1 - p). Tompson et al.,
// "Efficient object localization using convolutional networks", CVPR 2015. The gradient is the same kernel with the
// same random key.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

constexpr std::int64_t by_channel = 1;

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) { return in[0]; }

void lower(const Attrs& a, Emit& e) {
  const StepAttrs attrs{{"p", e.training() ? a.real("p") : 0.0}, {"key", e.random_key()}, {"share", by_channel}};
  e.forward("dropout", {e.input()}, {e.output()}, attrs);
  if (e.needs_grad_of_input()) e.backward("dropout", {e.grad_of_output()}, {e.grad_of_input()}, attrs);
}

}  // namespace

extern const LayerType dropout2d_layer{
    .name = "Dropout2d",
    .group = "Regularization",
    .stem = "dropout",
    .summary = text(NW_TR("Leaves out random channels while training.")),
    .onnx = "Dropout",
    .fields = {real_field("p", text(NW_TR("Share left out")), 0.5, 0, 0.99,
                          text(NW_TR("Probability that a channel is set to zero.")))},
    .infer = infer,
    .lower = lower};

}  // namespace nw
