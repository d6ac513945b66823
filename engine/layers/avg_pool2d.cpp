// SPDX-License-Identifier: Apache-2.0
// Mean of each window. (N,C,H,W) -> (N,C,H',W').
#include "engine/layers/window.hpp"

namespace nw {
namespace {
void lower(const Attrs& a, Emit& e) {
  StepAttrs attrs = pool_geometry(a);
  attrs["count_include_pad"] = std::int64_t{a.boolean("count_include_pad")};
  e.forward("avg_pool2d", {e.input()}, {e.output()}, attrs);
  if (e.training() && e.needs_grad_of_input())
    e.backward("avg_pool2d_grad", {e.grad_of_output()}, {e.grad_of_input()}, attrs);
}

}  // namespace

extern const LayerType avg_pool2d_layer{
    .name = "AvgPool2d",
    .group = "Pooling",
    .stem = "pool",
    .summary = text(NW_TR("Averages each window.")),
    .onnx = "AveragePool",
    .fields = {pair_field("kernel_size", text(NW_TR("Window")), 2, 1, 63,
                          text(NW_TR("Height and width of the window."))),
               pair_field("stride", text(NW_TR("Stride")), 2, 1, 32,
                          text(NW_TR("How far the window moves each time."))),
               pair_field("padding", text(NW_TR("Padding")), 0, 0, 15, text(NW_TR("Zeros added on every side."))),
               boolean_field("count_include_pad", text(NW_TR("Count padding")), true,
                             text(NW_TR("Whether the zeros of the padding count in the mean.")))},
    .infer = infer_pool,
    .lower = lower};

}  // namespace nw
