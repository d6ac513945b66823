// SPDX-License-Identifier: Apache-2.0
// Maximum of each window; padding counts as minus infinity. (N,C,H,W) -> (N,C,H',W').
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  const Shape& x = in[0];
  if (x.rank() != 4) return ShapeError{text(NW_TR("Needs an image, gets a vector of {0}"), to_string(x, true)), 0, {}};
  const auto [kh, kw] = a.pair("kernel_size");
  const auto [sh, sw] = a.pair("stride");
  const auto [ph, pw] = a.pair("padding");
  if (2 * ph > kh || 2 * pw > kw)
    return ShapeError{text(NW_TR("The padding {0}×{1} is more than half of the window {2}×{3}"), ph, pw, kh, kw),
                      0,
                      {QuickFix::set_padding}};
  const std::int64_t rh = x[2] + 2 * ph - kh, rw = x[3] + 2 * pw - kw;
  if (rh < 0 || rw < 0)
    return ShapeError{
        text(NW_TR("The window {0}×{1} is larger than the padded image {2}×{3}"), kh, kw, x[2] + 2 * ph, x[3] + 2 * pw),
        0,
        {QuickFix::shrink_window, QuickFix::remove}};
  return Shape{x[0], x[1], rh / sh + 1, rw / sw + 1};
}

StepAttrs geometry(const Attrs& a) {
  const auto list = [&](const char* name) {
    const auto [h, w] = a.pair(name);
    return std::vector<std::int64_t>{h, w};
  };
  return {{"kernel", list("kernel_size")}, {"stride", list("stride")}, {"padding", list("padding")}};
}

void lower(const Attrs& a, Emit& e) {
  const bool keep = e.training() && e.needs_grad_of_input();
  const ValueRef argmax = keep ? e.saved("argmax", e.shape(e.output()), DType::u8) : -1;
  e.forward("max_pool2d", {e.input()}, {e.output(), argmax}, geometry(a));
  if (keep) e.backward("max_pool2d_grad", {e.grad_of_output(), argmax}, {e.grad_of_input()}, geometry(a));
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
    .infer = infer,
    .lower = lower};

}  // namespace nw
