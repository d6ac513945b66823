// SPDX-License-Identifier: Apache-2.0
// Maximum of each window; padding counts as minus infinity. (N,C,H,W) -> (N,C,H',W').
#include "engine/layers/window.hpp"

namespace nw {
namespace {

void lower(const Attrs& a, Emit& e) {
  const bool keep = e.training() && e.needs_grad_of_input();
  const ValueRef argmax = keep ? e.saved("argmax", e.shape(e.output()), DType::u8) : -1;
  e.forward("max_pool2d", {e.input()}, {e.output(), argmax}, pool_geometry(a));
  if (keep) e.backward("max_pool2d_grad", {e.grad_of_output(), argmax}, {e.grad_of_input()}, pool_geometry(a));
}

}  // namespace

extern const LayerType max_pool2d_layer{
    .name = "MaxPool2d",
    .group = "Pooling",
    .stem = "pool",
    .summary = text(NW_TR("Keeps the largest value of each window.")),
    .onnx = "MaxPool",
    .fields = {pair_field("kernel_size", text(NW_TR("Window")), 2, 1, 15,
                          text(NW_TR("Height and width of the window."))),
               pair_field("stride", text(NW_TR("Stride")), 2, 1, 32,
                          text(NW_TR("How far the window moves each time."))),
               pair_field("padding", text(NW_TR("Padding")), 0, 0, 15,
                          text(NW_TR("Border added on every side; its values are never the maximum.")))},
    .infer = infer_pool,
    .lower = lower};

}  // namespace nw
