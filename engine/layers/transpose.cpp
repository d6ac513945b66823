// SPDX-License-Identifier: Apache-2.0
// Two of an image's dimensions change places: torch.transpose(x, dim0, dim1) with 1 for channels, 2 for rows and 3 for
// columns. Its own gradient.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  if (in[0].rank() != 4)
    return ShapeError{text(NW_TR("Needs an image, gets {0}"), to_string(in[0], true)), 0, {QuickFix::remove}};
  Shape out = in[0];
  std::swap(out[static_cast<int>(a.integer("dim0"))], out[static_cast<int>(a.integer("dim1"))]);
  return out;
}

void lower(const Attrs& a, Emit& e) {
  const StepAttrs attrs{{"first", a.integer("dim0")}, {"second", a.integer("dim1")}};
  e.forward("transpose", {e.input()}, {e.output()}, attrs);
  if (e.needs_grad_of_input()) e.backward("transpose", {e.grad_of_output()}, {e.grad_of_input()}, attrs);
}

}  // namespace

extern const LayerType transpose_layer{
    .name = "Transpose",
    .group = "Shape",
    .stem = "transpose",
    .summary = text(NW_TR("Exchanges two dimensions of an image, for example rows and columns.")),
    .onnx = "Transpose",
    .fields = {integer_field("dim0", text(NW_TR("Dimension")), 2, 1, 3,
                             text(NW_TR("1: channels, 2: rows, 3: columns."))),
               integer_field("dim1", text(NW_TR("With dimension")), 3, 1, 3,
                             text(NW_TR("The dimension that changes places with it.")))},
    .infer = infer,
    .lower = lower};

}  // namespace nw
