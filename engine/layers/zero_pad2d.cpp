// SPDX-License-Identifier: Apache-2.0
// Pads an image with zeros, as torch.nn.ZeroPad2d((left, right, top, bottom)): (N,C,H,W) ->
// (N,C,H+top+bottom,W+left+right).
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  const Shape& x = in[0];
  if (x.rank() != 4)
    return ShapeError{text(NW_TR("Needs an image, gets a vector of {0}"), to_string(x, true)), 0, {QuickFix::remove}};
  return Shape{x[0], x[1], x[2] + a.integer("padding_top") + a.integer("padding_bottom"),
               x[3] + a.integer("padding_left") + a.integer("padding_right")};
}

void lower(const Attrs& a, Emit& e) {
  const StepAttrs attrs{{"padding", std::vector<std::int64_t>{a.integer("padding_top"), a.integer("padding_left")}}};
  e.forward("zero_pad2d", {e.input()}, {e.output()}, attrs);
  if (e.needs_grad_of_input()) e.backward("zero_pad2d_grad", {e.grad_of_output()}, {e.grad_of_input()}, attrs);
}

}  // namespace

extern const LayerType zero_pad2d_layer{
    .name = "ZeroPad2d",
    .group = "Shape",
    .stem = "pad",
    .summary = text(NW_TR("Pads an image with zeros, each side separately.")),
    .onnx = "Pad",
    .fields = {integer_field("padding_left", text(NW_TR("Left")), 1, 0, 512,
                             text(NW_TR("Columns of zeros on the left.")), "px"),
               integer_field("padding_right", text(NW_TR("Right")), 1, 0, 512,
                             text(NW_TR("Columns of zeros on the right.")), "px"),
               integer_field("padding_top", text(NW_TR("Top")), 1, 0, 512, text(NW_TR("Rows of zeros above.")), "px"),
               integer_field("padding_bottom", text(NW_TR("Bottom")), 1, 0, 512, text(NW_TR("Rows of zeros below.")),
                             "px")},
    .infer = infer,
    .lower = lower};

}  // namespace nw
